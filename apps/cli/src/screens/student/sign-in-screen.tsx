import type { Locale } from '@jiaowu/api/locale'
import { type Problem, problemText } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import type { RegisterField, registerMachine } from '@jiaowu/machines/register/machine'
import { registerView } from '@jiaowu/machines/register/view'
import type { SignInField, signInMachine } from '@jiaowu/machines/sign-in/machine'
import { signInView } from '@jiaowu/machines/sign-in/view'
import { useSelector } from '@xstate/react'
import { useView } from '../use-view.ts'
import { Box } from 'ink'
import { useCallback, useEffect, useState } from 'react'
import type { ActorRefFrom } from 'xstate'
import { Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { EntryForm } from './entry-form.tsx'
import type { DrawPicture, SmsActor } from './sms-part.tsx'

export type SignInActor = ActorRefFrom<typeof signInMachine>
export type RegisterActor = ActorRefFrom<typeof registerMachine>
/** A session that ended by itself, with the server's reason. */
export interface SessionOver {
  readonly ended: Problem | null
}

interface SignInProps {
  readonly actor: SignInActor
  readonly register: RegisterActor
  readonly locale: Locale
  readonly draw: DrawPicture
  readonly leave: () => void
  readonly over?: SessionOver
}

/**
 * Sign-in of students by mobile number and SMS code, with registration
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export function SignInScreen(props: SignInProps) {
  const { actor, register, locale, draw, leave, over } = props
  const view = useView(actor, signInView)
  const sms = useSelector(actor, (s) => s.children.smsCode)
  const [focus, setFocus] = useState<SignInField>('mobile')
  const toCode = useCallback(() => setFocus('code'), [])
  useSent(sms, toCode)
  useEffect(() => {
    const subscription = actor.on('invalid', ({ field }) => setFocus(field))
    return () => subscription.unsubscribe()
  }, [actor])
  const isRegistering = useSelector(register, (s) => registerView(s).step !== 'closed')
  if (isRegistering) return <Register {...props} />
  if (sms === undefined || view.step === 'done') return null
  const form = (
    <EntryForm
      focus={focus}
      onFocus={setFocus}
      title={t(locale, 'studentPage.title')}
      fields={[
        ['mobile', t(locale, 'studentPage.mobile')],
        ['code', t(locale, 'studentPage.smsCode')],
      ]}
      values={view.values}
      faults={view.faults}
      problem={view.problem}
      busy={view.step === 'submitting'}
      canAsk={view.can.askCode}
      submitText={t(locale, 'studentPage.login')}
      sms={sms}
      draw={draw}
      locale={locale}
      onChange={(field, value) => actor.send({ type: 'field.change', field, value })}
      onBlur={(field) => actor.send({ type: 'field.blur', field })}
      onAsk={() => actor.send({ type: 'code.ask' })}
      onSubmit={() => actor.send({ type: 'form.submit' })}
      more={[
        ...offer(true, '^n', t(locale, 'studentPage.register'), () =>
          register.send({ type: 'register.open' }),
        ),
        ...offer(true, 'esc', t(locale, 'cli.key.leave'), leave),
      ]}
    />
  )
  if (over === undefined) return form
  const why =
    over.ended === null ? t(locale, 'problem.pleaseLogin') : problemText(locale, over.ended)
  return (
    <Box flexDirection="column">
      <Fault>{why}</Fault>
      <Text color="yellow">{t(locale, 'studentPage.sessionOver')}</Text>
      {form}
    </Box>
  )
}

/** Calls `onSent` after an SMS was sent, to move the cursor to the code. */
function useSent(sms: SmsActor | undefined, onSent: () => void): void {
  useEffect(() => {
    const sent = sms?.on('sent', onSent)
    return () => sent?.unsubscribe()
  }, [sms, onSent])
}

function Register({ register: actor, locale, draw }: SignInProps) {
  const view = useView(actor, registerView)
  const sms = useSelector(actor, (s) => s.children.smsCode)
  const [focus, setFocus] = useState<RegisterField>('idNumber')
  const toCode = useCallback(() => setFocus('code'), [])
  useSent(sms, toCode)
  useEffect(() => {
    const subscription = actor.on('invalid', ({ field }) => setFocus(field))
    return () => subscription.unsubscribe()
  }, [actor])
  if (sms === undefined) return null
  if (view.waitingDays !== null)
    return (
      <Waiting
        days={view.waitingDays}
        locale={locale}
        onClose={() => actor.send({ type: 'register.close' })}
      />
    )
  return (
    <EntryForm
      focus={focus}
      onFocus={setFocus}
      title={t(locale, 'studentPage.registerTitle')}
      fields={[
        ['idNumber', t(locale, 'studentPage.idNumber')],
        ['major', t(locale, 'studentPage.major')],
        ['mobile', t(locale, 'studentPage.mobile')],
        ['code', t(locale, 'studentPage.smsCode')],
      ]}
      values={view.values}
      faults={view.faults}
      problem={view.problem}
      busy={view.step === 'submitting'}
      canAsk={view.can.askCode}
      submitText={t(locale, 'studentPage.register')}
      sms={sms}
      draw={draw}
      locale={locale}
      onChange={(field, value) => actor.send({ type: 'field.change', field, value })}
      onBlur={(field) => actor.send({ type: 'field.blur', field })}
      onAsk={() => actor.send({ type: 'code.ask' })}
      onSubmit={() => actor.send({ type: 'form.submit' })}
      more={offer(view.can.close, 'esc', t(locale, 'common.cancel'), () =>
        actor.send({ type: 'register.close' }),
      )}
    />
  )
}

/** A clerk looks at the mobile. */
function Waiting({
  days,
  locale,
  onClose,
}: {
  readonly days: number
  readonly locale: Locale
  readonly onClose: () => void
}) {
  const bindings = offer(true, 'esc', t(locale, 'common.close'), onClose)
  useBindings(bindings)
  return (
    <Box flexDirection="column">
      <Text bold>{t(locale, 'studentPage.registerTitle')}</Text>
      <Text color="yellow">{t(locale, 'studentPage.waiting')}</Text>
      <Text>{t(locale, 'studentPage.waitingAbout', { days })}</Text>
      <Text dimColor>{t(locale, 'studentPage.waitingWrong')}</Text>
      <Keys bindings={bindings} />
    </Box>
  )
}
