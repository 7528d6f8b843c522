import { Tab, Tabs } from '@blueprintjs/core'
import type { SessionFacts } from '@jiaowu/machines/session/ports'
import type { SessionView } from '@jiaowu/machines/session/view'
import { useCallback, useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useText } from '../../app/text-context.ts'
import { changeSettings, useSettings } from '../../app/settings.ts'
import { type SessionActor, writeFacts } from '../../ports/index.ts'
import { storedDirectory } from '../../ports/sso.ts'
import { DirectoryHint, ProviderButtons } from '../../shell/session/provider-buttons.tsx'
import { FactorForm } from '../../shell/session/factor-form.tsx'
import { SignInForm } from '../../shell/session/sign-in-form.tsx'
import { SignInLayout } from '../student/sign-in/sign-in-layout.tsx'
import { NoticesPanel } from '../student/sign-in/notices-panel.tsx'
import { StudentSignIn } from '../student/sign-in/student-sign-in.tsx'
import { useSchool } from '../student/sign-in/use-school.ts'

// In one file with the sign-in page, whose parts it is made of.
export { SsoPage } from './sso-page.tsx'

type As = 'student' | 'staff'
interface Props {
  readonly view: SessionView
  readonly session: SessionActor
}

/**
 * /login: students by mobile number and SMS code, staff by account and password
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export function SignInPage({ view, session }: Props) {
  const { t } = useText()
  const school = useSchool()
  const start = useStart()
  const { tenant, provider } = useChosen()
  const [as, setAs] = useState<As>(start)
  useEffect(() => {
    setAs(start)
  }, [start])
  useEffect(() => {
    document.title = `${t('signIn.title')} · ${t('app.title')}`
  }, [t])
  // The session machine takes the student's tokens like tokens written by another tab.
  const onSignedIn = useCallback(
    (facts: SessionFacts) => {
      changeSettings({ signInAs: 'student' })
      writeFacts(facts)
      session.send({ type: 'storage.changed', facts })
    },
    [session],
  )
  return (
    <SignInLayout board={<NoticesPanel />} school={school}>
      <Tabs
        id="sign-in"
        selectedTabId={as}
        onChange={(id) => setAs(id === 'staff' ? 'staff' : 'student')}
        renderActiveTabPanelOnly
      >
        <Tab
          id="student"
          title={t('studentPage.student')}
          panel={
            provider === null ? (
              <>
                <StudentSignIn onSignedIn={onSignedIn} />
                <ProviderButtons audience="students" tenant={tenant} />
              </>
            ) : (
              <PasswordForm as="student" view={view} session={session} />
            )
          }
        />
        <Tab
          id="staff"
          title={t('signIn.staff')}
          panel={
            <>
              <PasswordForm as="staff" view={view} session={session} />
              {provider === null ? <ProviderButtons audience="staff" tenant={tenant} /> : null}
              {tenant === null && provider === null ? (
                <a className="jw-other-school" href="#/login?as=staff&tenant=">
                  {t('signIn.otherTenant')}
                </a>
              ) : null}
            </>
          }
        />
      </Tabs>
    </SignInLayout>
  )
}

/** The school and the directory that the address names. */
function useChosen() {
  const query = new URLSearchParams(useLocation().search)
  return { tenant: query.get('tenant'), provider: query.get('provider') }
}

/** Account and password of the server itself, or of the directory that was chosen. */
function PasswordForm({ as, view, session }: Props & { readonly as: As }) {
  const { tenant, provider } = useChosen()
  return (
    <>
      {provider === null ? null : <DirectoryHint provider={provider} tenant={tenant} />}
      {view.factor === null ? (
        <SignInForm
          key={`${tenant} ${provider}`}
          busy={view.busy}
          problem={view.problem}
          captchaKey={view.captchaKey}
          // A directory knows its school.
          tenant={provider === null ? tenant : null}
          onSubmit={(values) => {
            changeSettings({ signInAs: as })
            storedDirectory.write(provider)
            session.send({ type: 'session.signIn', ...values, provider })
          }}
        />
      ) : (
        <FactorForm
          busy={view.busy}
          problem={view.problem}
          kinds={view.factor.kinds}
          onAnswer={(answer) => session.send({ type: 'factor.answer', ...answer })}
          onLeave={() => session.send({ type: 'factor.leave' })}
        />
      )}
    </>
  )
}

/**
 * Tab shown first: named by the link, else the one last used here, else staff when the user came
 * for a console page.
 */
function useStart(): As {
  const { search } = useLocation()
  const { signInAs } = useSettings()
  const query = new URLSearchParams(search)
  const named = query.get('as')
  if (named === 'student' || named === 'staff') return named
  return signInAs ?? (query.has('redirect') ? 'staff' : 'student')
}
