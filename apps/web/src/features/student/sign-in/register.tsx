import { Button, DialogBody } from '@blueprintjs/core'
import { problemText } from '@jiaowu/api/problem'
import { type RegisterField, registerWith } from '@jiaowu/machines/register/machine'
import { registerView } from '@jiaowu/machines/register/view'
import { useSelector } from '@xstate/react'
import { useEffect } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useNotice } from '../../../app/notice-context.ts'
import { useText } from '../../../app/text-context.ts'
import { useMachineActor } from '../../../fields/use-machine-actor.ts'
import { CaptchaDialog } from './captcha-dialog.tsx'
import { registerPorts, smsPorts } from '../../../ports/student-ports.ts'
import { MobileField, PlainForm, TextField } from './sign-in-fields.tsx'
import { SmsField } from './sms-field.tsx'
import { type SmsActor, useSms } from './use-sms.ts'
import { useView } from '../../../app/use-view.ts'
import { Dialog } from '../../../ui/overlays/dialog.tsx'

const ids = {
  idNumber: 'register-id',
  major: 'register-major',
  mobile: 'register-mobile',
  code: 'register-code',
} as const satisfies Record<RegisterField, string>
type RegisterActor = ReturnType<typeof useRegister>

/**
 * Registration link and dialog (docs/spec/2-student-service-and-designer.md §2). Closing the dialog
 * resets form and timer.
 */
export function Register({ onRegistered }: { readonly onRegistered: (mobile: string) => void }) {
  const { t } = useText()
  const actor = useRegister(onRegistered)
  const { step, can, waitingDays } = useView(actor, registerView)
  const close = () => actor.send({ type: 'register.close' })
  const smsActor = useSelector(actor, (snapshot) => snapshot.children.smsCode)
  return (
    <>
      <p className="jw-door__first">
        {t('studentPage.firstTime')}{' '}
        <button
          type="button"
          className="jw-link"
          onClick={() => actor.send({ type: 'register.open' })}
        >
          {t('studentPage.register')}
        </button>
      </p>
      <Dialog
        isOpen={step !== 'closed'}
        title={t('studentPage.registerTitle')}
        canOutsideClickClose={false}
        canEscapeKeyClose={can.close}
        isCloseButtonShown={can.close}
        onClose={close}
        className="jw-calm jw-register"
      >
        <DialogBody>
          {waitingDays === null ? (
            <>
              <p className="jw-muted">{t('studentPage.registerHint')}</p>
              {smsActor === undefined ? null : <Form actor={actor} smsActor={smsActor} />}
            </>
          ) : (
            <Waiting days={waitingDays} onClose={close} />
          )}
        </DialogBody>
      </Dialog>
    </>
  )
}

/** A clerk looks at the mobile. */
function Waiting({ days, onClose }: { readonly days: number; readonly onClose: () => void }) {
  const { t } = useText()
  return (
    <div role="status">
      <h4>{t('studentPage.waiting')}</h4>
      <p>{t('studentPage.waitingAbout', { days })}</p>
      <p className="jw-muted">{t('studentPage.waitingWrong')}</p>
      <Button large intent="primary" text={t('common.ok')} onClick={onClose} />
    </div>
  )
}

function useRegister(onRegistered: (mobile: string) => void) {
  const { messageText } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const actor = useMachineActor(() => ({
    machine: registerWith({ ...registerPorts(api), ...smsPorts(api) }),
    input: { now: Date.now },
  }))
  useEffect(() => {
    const invalid = actor.on('invalid', ({ field }) => document.getElementById(ids[field])?.focus())
    const done = actor.on('registered', ({ mobile, message }) => {
      toast('success', messageText(message), { lasting: true })
      onRegistered(mobile)
    })
    return () => {
      invalid.unsubscribe()
      done.unsubscribe()
    }
  }, [actor, onRegistered, toast, messageText])
  return actor
}

function Form({ actor, smsActor }: { readonly actor: RegisterActor; readonly smsActor: SmsActor }) {
  const { t, messageText, locale } = useText()
  const view = useView(actor, registerView)
  const sms = useSms(smsActor, ids.code)
  const field = (name: RegisterField) => {
    const fault = view.faults[name]
    return {
      id: ids[name],
      value: view.values[name],
      fault: fault === undefined ? null : messageText(fault),
      onChange: (value: string) => actor.send({ type: 'field.change', field: name, value }),
      onBlur: () => actor.send({ type: 'field.blur', field: name }),
    }
  }
  return (
    <>
      <PlainForm
        problem={view.problem === null ? null : problemText(locale, view.problem)}
        busy={view.step === 'submitting' || view.step === 'proving'}
        submitText={t('studentPage.register')}
        onSubmit={() => actor.send({ type: 'form.submit' })}
      >
        <TextField
          {...field('idNumber')}
          label={t('studentPage.idNumber')}
          maxLength={32}
          autoFocus
        />
        <TextField {...field('major')} label={t('studentPage.major')} maxLength={64} />
        <MobileField {...field('mobile')} />
        <SmsField
          {...field('code')}
          refused={sms.refused}
          secondsLeft={sms.secondsLeft}
          busy={sms.view.step === 'sending'}
          canAsk={view.can.askCode && sms.view.can.ask}
          onAsk={() => actor.send({ type: 'code.ask' })}
        />
      </PlainForm>
      <CaptchaDialog view={sms.view} actor={smsActor} />
    </>
  )
}
