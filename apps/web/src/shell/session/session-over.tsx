import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { defaultTenant } from '@jiaowu/api/limits'
import { problemText } from '@jiaowu/api/problem'
import type { SessionView } from '@jiaowu/machines/session/view'
import { useText } from '../../app/text-context.ts'
import type { SessionActor } from '../../ports/index.ts'
import { storedDirectory } from '../../ports/sso.ts'
import { useSignOut } from './use-sign-out.ts'
import { SignInForm } from './sign-in-form.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

/**
 * The session ended (docs/spec/1-entity-console.md §8): a reminder with the server's sentence, then
 * sign-in over the page, so that a form being filled in is kept.
 */
export function SessionOver({
  view,
  session,
}: {
  readonly view: SessionView
  readonly session: SessionActor
}) {
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
            <SignInForm
              busy={view.busy}
              problem={view.problem}
              captchaKey={view.captchaKey}
              account={view.user?.account ?? ''}
              tenant={
                view.user === null || view.user.tenant === defaultTenant ? null : view.user.tenant
              }
              onSubmit={(values) =>
                session.send({
                  type: 'session.signIn',
                  ...values,
                  provider: storedDirectory.read(),
                })
              }
            />
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
