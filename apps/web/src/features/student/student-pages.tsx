import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { problemText } from '@jiaowu/api/problem'
import type { SessionView } from '@jiaowu/machines/session/view'
import { type ComponentType, lazy, Suspense, useCallback } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useText } from '../../app/text-context.ts'
import type { SessionActor } from '../../ports/index.ts'
import { useSignOut } from '../../shell/session/use-sign-out.ts'
import type { ApplicationFormProps } from './application/application-sheet.tsx'
import { Loading } from '../../ui/resource/page-state.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

const StudentHome = lazy(async () => ({
  default: (await import('./student-home.tsx')).StudentHome,
}))
const ApplicationPages = lazy(async () => ({
  default: (await import('./application/application-pages.tsx')).ApplicationPages,
}))
const NotFoundPage = lazy(async () => ({
  default: (await import('../../ui/not-found-page.tsx')).NotFoundPage,
}))

/** Routes of a student: the home page, applications, and "not found" for every other path. */
export function StudentPages({
  view,
  session,
  Form,
}: {
  readonly view: SessionView
  readonly session: SessionActor
  /** The form of an application. */
  readonly Form: ComponentType<ApplicationFormProps>
}) {
  const { pathname } = useLocation()
  const signOut = useSignOut(session, 'session.signOut')
  const onSignOut = useCallback(() => void signOut(), [signOut])
  if (pathname === '/login') return <Navigate to="/" replace />
  return (
    <>
      <Suspense fallback={<Loading />}>
        {pathname === '/' ? (
          <StudentHome onSignOut={onSignOut} />
        ) : /^\/application(?:\/|$)/.test(pathname) ? (
          <ApplicationPages Form={Form} onSignOut={onSignOut} />
        ) : (
          <main className="jw-stu">
            <NotFoundPage />
          </main>
        )}
      </Suspense>
      <SessionOver view={view} session={session} />
    </>
  )
}

/**
 * Dialog after the session ended. Unlike in the console there is no unsaved work but an application that is kept
 * as it is typed, so it only leads to the sign-in page.
 */
function SessionOver({
  view,
  session,
}: {
  readonly view: SessionView
  readonly session: SessionActor
}) {
  const { t, locale } = useText()
  const ended = view.over?.ended ?? null
  return (
    <Dialog
      isOpen={view.over !== null}
      title={t('problem.reminder')}
      isCloseButtonShown={false}
      canEscapeKeyClose={false}
      canOutsideClickClose={false}
      className="jw-calm jw-failure"
    >
      <DialogBody>
        <p role="alert">{ended === null ? t('problem.pleaseLogin') : problemText(locale, ended)}</p>
        <p className="jw-muted">{t('studentPage.sessionOver')}</p>
      </DialogBody>
      <DialogFooter
        actions={
          <Button
            autoFocus
            intent="primary"
            text={t('signIn.again')}
            onClick={() => session.send({ type: 'reminder.leave' })}
          />
        }
      />
    </Dialog>
  )
}
