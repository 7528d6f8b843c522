import { problemText } from '@jiaowu/api/problem'
import type { smsCodeMachine } from '@jiaowu/machines/sms-code/machine'
import { type SmsCodeView, smsCodeView } from '@jiaowu/machines/sms-code/view'
import { useSelector } from '@xstate/react'
import { useEffect } from 'react'
import type { ActorRefFrom } from 'xstate'
import { useText } from '../../../app/text-context.ts'
import { storedSms } from '../../../ports/student-ports.ts'
import { useView } from '../../../app/use-view.ts'

export type SmsActor = ActorRefFrom<typeof smsCodeMachine>
export interface Sms {
  readonly view: SmsCodeView
  readonly secondsLeft: number | null
  /** Why the server sent no SMS. */
  readonly refused: string | null
}

/**
 * State of the SMS request for a form. `codeId`: id of the code input, which gets the focus after
 * an SMS was sent.
 */
export function useSms(actor: SmsActor, codeId: string): Sms {
  const { locale } = useText()
  useEffect(() => {
    const facts = actor.on('facts', (event) => storedSms.write(event.facts))
    const sent = actor.on('sent', () => document.getElementById(codeId)?.focus())
    return () => {
      facts.unsubscribe()
      sent.unsubscribe()
    }
  }, [actor, codeId])
  const view = useView(actor, smsCodeView)
  const lock = useSelector(actor, (snapshot) => snapshot.children.smsLock)
  const left = useSelector(lock, (snapshot) =>
    snapshot === undefined ? null : snapshot.context.secondsLeft,
  )
  return {
    view,
    secondsLeft: view.step === 'locked' ? left : null,
    refused: view.problem === null ? null : problemText(locale, view.problem),
  }
}
