import type { SmsCodeEvent, smsCodeMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { EntryForm } from '../../../apps/cli/src/screens/student/entry-form.tsx'
import type { SmsActor } from '../../../apps/cli/src/screens/student/sms-part.tsx'
import { sentence, zh } from '../../surfaces/sentences.ts'
import { key, noKey, retype } from '../../surfaces/terminal/gestures.ts'
import { redLines, typedIn } from '../../surfaces/terminal/reads.ts'
import { terminalDriverOf } from '../../surfaces/terminal/table.ts'
import { smsCodeModel, smsCodeModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof smsCodeMachine>
interface View {
  readonly s: Snapshot
  /** Seconds until another code can be asked for; null when one can. */
  readonly seconds: number | null
  readonly isOpen: boolean
}
const answer = zh('studentPage.captchaInput')

/** The SMS code beside its field, and the captcha before it. */
export const smsTerminal = terminalDriverOf<Snapshot, SmsCodeEvent, View>({
  model: { ...smsCodeModels, parts: { sms: smsCodeModel } },
  adapt: ({ events, outcomes }) => {
    // Without the lock of an hour, since every second is drawn.
    const { absurd: _absurd, ...replies } = outcomes.smsCode as Readonly<Record<string, never>>
    // A captcha before a try with a code opens in the walks of the sign-in.
    const { 'captcha.prove': _proof, ...own } = events
    return { events: own, outcomes: { ...outcomes, smsCode: replies } }
  },
  view: (s, left) => {
    const ms = left('smsLock')
    return {
      s,
      seconds: ms === null ? null : Math.ceil(ms / 1000),
      isOpen: s.hasTag('captcha'),
    }
  },
  readings: {
    image: {
      model: ({ s, isOpen }) => isOpen && s.context.picture !== null,
      screen: (user) => user.frame().includes('▀▄▀'),
    },
    answer: {
      model: ({ s, isOpen }) => (isOpen ? s.context.answer.trim() : ''),
      screen: typedIn(answer),
    },
    problem: { model: ({ s }) => sentence(s.context.problem?.message), screen: redLines },
  },
  says: {
    'studentPage.captchaTitle': ({ isOpen }) => isOpen,
    'studentPage.resendIn': ({ seconds }) => seconds !== null && { n: seconds },
    'common.loading': ({ s, isOpen }) =>
      (isOpen && s.context.picture === null && !s.matches({ captcha: 'failed' })) ||
      s.matches('sending'),
  },
  gestures: {
    'sms.ask': key(zh('studentPage.getCode')),
    'captcha.prove': noKey,
    'captcha.type': ({ answer: to }) => retype(to, answer),
    'captcha.submit': key(zh('common.ok')),
    'captcha.renew': key(zh('studentPage.captchaNew')),
    'captcha.cancel': key(zh('common.cancel')),
  },
  element: (actor) => <SmsForm actor={actor as unknown as SmsActor} />,
})

const none = () => {}
function SmsForm({ actor }: { readonly actor: SmsActor }) {
  return (
    <EntryForm
      focus="code"
      onFocus={none}
      title="门"
      fields={[['code', '验证码']]}
      values={{ code: '' }}
      faults={{}}
      problem={null}
      busy={false}
      canAsk
      submitText="登录"
      onChange={none}
      onBlur={none}
      onAsk={() => actor.send({ type: 'sms.ask', mobile: '13800000001' })}
      onSubmit={none}
      sms={actor}
      draw={() => ({ lines: ['▀▄▀'], path: null })}
      locale="zh-CN"
      more={[]}
    />
  )
}
