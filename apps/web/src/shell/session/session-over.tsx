import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { defaultTenant } from '@jiaowu/api/limits'
import { problemText } from '@jiaowu/api/problem'
import type { SessionView } from '@jiaowu/machines/session/view'
import { useText } from '../../app/text-context.ts'
import type { SessionActor } from '../../ports/index.ts'
import { storedDirectory } from '../../ports/sso.ts'
import { useSignOut } from './use-sign-out.ts'
import { FactorForm } from './factor-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

interface Props {
  readonly view: SessionView
  readonly session: SessionActor
}

/**
 * The session ended (docs/spec/1-entity-console.md §8): a reminder with the server's sentence, then
 * sign-in over the page, so that a form being filled in is kept.
 */
export function SessionOver({ view, session }: Props) {
  const { t, locale } = useText()
  const { over } = view
  const leaveSession = useSignOut(session, 'reminder.leave')
  const sentence =
    over?.ended === null || over?.ended === undefined
      ? t('problem.pleaseLogin')
      : problemText(locale, over.ended)
  const leave = (
    <Button variant="minimal" text={t('signIn.leave')} onClick={() => void leaveSession()} />
  )
  return (
    <Dialog
      isOpen={over !== null}
      title={over?.stage === 'form' ? t('signIn.again') : t('problem.reminder')}
      isCloseButtonShown={false}
      canEscapeKeyClose={false}
      canOutsideClickClose={false}
      className="jw-dialog--narrow"
    >
      <DialogBody>
        {over?.stage === 'form' ? (
          <>
            <p className="jw-muted">{t('signIn.keep')}</p>
            <AgainForm view={view} session={session} />
          </>
        ) : (
          <p role="alert">{sentence}</p>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          over?.stage === 'form' ? (
            leave
          ) : (
            <>
              {leave}
              <Button
                autoFocus
                intent="primary"
                loading={view.busy}
                disabled={!view.can.confirmReminder}
                text={t('signIn.again')}
                onClick={() => session.send({ type: 'reminder.confirm' })}
              />
            </>
          )
        }
      />
    </Dialog>
  )
}

/** Account and password of the person whose page it is, or the second factor that the server asks for. */
function AgainForm({ view, session }: Props) {
  if (view.factor !== null)
    return (
      <FactorForm
        busy={view.busy}
        problem={view.problem}
        kinds={view.factor.kinds}
        onAnswer={(answer) => session.send({ type: 'factor.answer', ...answer })}
        onLeave={() => session.send({ type: 'factor.leave' })}
      />
    )
  return (
    <SignInForm
      busy={view.busy}
      problem={view.problem}
      captchaKey={view.captchaKey}
      account={view.user?.account ?? ''}
      tenant={view.user === null || view.user.tenant === defaultTenant ? null : view.user.tenant}
      onSubmit={(values) =>
        session.send({
          type: 'session.signIn',
          ...values,
          provider: storedDirectory.read(),
        })
      }
    />
  )
}
