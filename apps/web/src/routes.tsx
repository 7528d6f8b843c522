import { Button, OverlaysProvider, PortalProvider } from '@blueprintjs/core'
import { problemText } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import { useView } from './app/use-view.ts'
import { sessionView } from '@jiaowu/machines/session/view'
import { lazy, Suspense, useCallback, useEffect } from 'react'
import {
  HashRouter,
  matchRoutes,
  Navigate,
  type RouteObject,
  useLocation,
  useRoutes,
} from 'react-router-dom'
import { AppProvider } from './shell/provider.tsx'
import { applySettings, useSettings } from './app/settings.ts'
import { hasKeptEdits } from './features/grid/kept-edits.ts'
import { paths } from './paths.ts'
import type { Surface } from './ports/index.ts'
import type { TagsActor } from './shell/navigation/tags-actor.ts'
import { isStudent } from './features/student/is-student.ts'
import { StudentPages } from './features/student/student-pages.tsx'
import { loadTexts } from './texts/load-texts.ts'
import { Loading, Failed } from './ui/resource/page-state.tsx'

const VerifyPage = lazy(async () => ({
  default: (await import('./features/verify/verify-page.tsx')).VerifyPage,
}))
// A student's page loads nothing of the console, and neither does the sign-in page.
const SignInPage = lazy(async () => ({
  default: (await import('./features/sign-in/sign-in-page.tsx')).SignInPage,
}))
const SsoPage = lazy(async () => ({
  default: (await import('./features/sign-in/sign-in-page.tsx')).SsoPage,
}))
const StudentApplication = lazy(async () => {
  const loading = [loadTexts('console'), loadTexts('more')]
  const { StudentApplication: form } = await import('./student-application.tsx')
  await Promise.all(loading)
  return { default: form }
})
const Inside = lazy(async () => {
  const texts = loadTexts('console')
  const { Inside: page } = await import('./inside.tsx')
  await texts
  return { default: page }
})
/**
 * Open to everyone, signed in or not: the QR codes of documents lead here
 * (docs/rules/contract.md#student-service).
 */
const publicRoutes: RouteObject[] = [
  { path: '/verify', element: <VerifyPage /> },
  { path: '/verify/:code', element: <VerifyPage /> },
]
const Public = () => <Suspense fallback={<Loading />}>{useRoutes(publicRoutes)}</Suspense>

interface Props {
  readonly surface: Surface
  readonly tags: TagsActor
}

export function Application(props: Props) {
  return (
    <PortalProvider>
      <OverlaysProvider>
        <HashRouter>
          <Root {...props} />
        </HashRouter>
      </OverlaysProvider>
    </PortalProvider>
  )
}

/** Chooses what to show by the session and the route. */
function Root({ surface, tags }: Props) {
  const view = useView(surface.session, sessionView)
  const settings = useSettings()
  const location = useLocation()
  const hasUnsaved = useCallback(
    () => tags.getSnapshot().context.tags.some(({ dirty }) => dirty) || hasKeptEdits(),
    [tags],
  )
  const reloadProfile = useCallback(
    () => surface.session.send({ type: 'profile.reload' }),
    [surface],
  )
  useEffect(() => applySettings(settings), [settings])
  useEffect(() => {
    surface.session.send({ type: 'profile.reload' })
  }, [surface, settings.locale])
  return (
    <AppProvider
      api={surface.api}
      user={view.user}
      permissions={view.permissions}
      sendTags={tags.send}
      hasUnsaved={hasUnsaved}
      reloadProfile={reloadProfile}
    >
      {matchRoutes(publicRoutes, location) !== null ? (
        <Public />
      ) : location.pathname === paths.sso ? (
        <Suspense fallback={<Loading />}>
          <SsoPage session={surface.session} />
        </Suspense>
      ) : view.step === 'signedOut' ? (
        location.pathname === '/login' ? (
          <Suspense fallback={<Loading />}>
            <SignInPage view={view} session={surface.session} />
          </Suspense>
        ) : (
          <Navigate to={paths.login(location.pathname + location.search)} replace />
        )
      ) : view.step === 'failed' ? (
        <Failed
          lead={null}
          text={
            view.problem === null
              ? t(settings.locale, 'shell.unreachable')
              : problemText(settings.locale, view.problem)
          }
          onRetry={() => surface.session.send({ type: 'profile.retry' })}
          more={
            <Button
              variant="minimal"
              text={t(settings.locale, 'shell.signOut')}
              onClick={() => surface.session.send({ type: 'session.signOut' })}
            />
          }
        />
      ) : (view.step === 'active' || view.step === 'over' || view.step === 'leaving') &&
        isStudent(view.user) ? (
        <StudentPages view={view} session={surface.session} Form={StudentApplication} />
      ) : view.step === 'active' || view.step === 'over' ? (
        <Suspense fallback={<Loading />}>
          <Inside key={settings.locale} surface={surface} tags={tags} view={view} />
        </Suspense>
      ) : (
        <Loading />
      )}
    </AppProvider>
  )
}
