import { problemText } from '@jiaowu/api/problem'
import type { SessionFacts } from '@jiaowu/machines/session/ports'
import { signInView } from '@jiaowu/machines/sign-in/view'
import { signInWith } from '@jiaowu/machines/sign-in/machine'
import { useSelector } from '@xstate/react'
import { useCallback, useEffect } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { useMachineActor } from '../../../fields/use-machine-actor.ts'
import { CaptchaDialog } from './captcha-dialog.tsx'
import { storedSms, signInPorts, smsPorts } from '../../../ports/student-ports.ts'
import { Register } from './register.tsx'
import { MobileField, PlainForm } from './sign-in-fields.tsx'
import { SmsField } from './sms-field.tsx'
import { type SmsActor, useSms } from './use-sms.ts'
import { useView } from '../../../app/use-view.ts'

const ids = { mobile: 'student-mobile', code: 'student-code' } as const
type SignInActor = ReturnType<typeof useSignIn>

/**
 * Sign-in of students by mobile number and SMS code, with registration
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export function StudentSignIn({
  onSignedIn,
}: {
  readonly onSignedIn: (facts: SessionFacts) => void
}) {
  const actor = useSignIn(onSignedIn)
  const smsActor = useSelector(actor, (snapshot) => snapshot.children.smsCode)
  const onRegistered = useCallback(
    (mobile: string) => actor.send({ type: 'field.change', field: 'mobile', value: mobile }),
    [actor],
  )
  return (
    <>
      {smsActor === undefined ? null : <Form actor={actor} smsActor={smsActor} />}
      <Register onRegistered={onRegistered} />
    </>
  )
}

function useSignIn(onSignedIn: (facts: SessionFacts) => void) {
  const { api } = useApi()
  const actor = useMachineActor(() => ({
    machine: signInWith({ ...signInPorts(api), ...smsPorts(api) }),
    input: { smsFacts: storedSms.read(), now: Date.now },
  }))
  useEffect(() => {
    const invalid = actor.on('invalid', ({ field }) => document.getElementById(ids[field])?.focus())
    const done = actor.on('signedIn', ({ facts }) => onSignedIn(facts))
    return () => {
      invalid.unsubscribe()
      done.unsubscribe()
    }
  }, [actor, onSignedIn])
  return actor
}

function Form({ actor, smsActor }: { readonly actor: SignInActor; readonly smsActor: SmsActor }) {
  const { t, messageText, locale } = useText()
  const view = useView(actor, signInView)
  const sms = useSms(smsActor, ids.code)
  const faultOf = (field: 'mobile' | 'code') => {
    const fault = view.faults[field]
    return fault === undefined ? null : messageText(fault)
  }
  return (
    <>
      <PlainForm
        problem={view.problem === null ? null : problemText(locale, view.problem)}
        busy={view.step === 'submitting' || view.step === 'proving'}
        submitText={t('studentPage.login')}
        onSubmit={() => actor.send({ type: 'form.submit' })}
      >
        <MobileField
          id={ids.mobile}
          value={view.values.mobile}
          fault={faultOf('mobile')}
          onChange={(value) => actor.send({ type: 'field.change', field: 'mobile', value })}
          onBlur={() => actor.send({ type: 'field.blur', field: 'mobile' })}
        />
        <SmsField
          id={ids.code}
          value={view.values.code}
          fault={faultOf('code')}
          refused={sms.refused}
          secondsLeft={sms.secondsLeft}
          busy={sms.view.step === 'sending'}
          canAsk={view.can.askCode && sms.view.can.ask}
          onChange={(value) => actor.send({ type: 'field.change', field: 'code', value })}
          onBlur={() => actor.send({ type: 'field.blur', field: 'code' })}
          onAsk={() => actor.send({ type: 'code.ask' })}
        />
      </PlainForm>
      <CaptchaDialog view={sms.view} actor={smsActor} />
    </>
  )
}
