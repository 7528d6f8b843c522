import { smsCodeView } from '@jiaowu/machines/sms-code/view'
import { EntryForm } from '../../../apps/cli/src/screens/student/entry-form.tsx'
import type { SmsActor } from '../../../apps/cli/src/screens/student/sms-part.tsx'
import {
  by,
  createTerminalDriver,
  on,
  read,
  countSeconds,
  formatMessages,
  zh,
} from '../../surfaces/terminal/driver.ts'
import { smsCodeModel, smsCodeModels } from './model.ts'

const [isOpen, hasFailed, isSending] = [on('captcha'), on('captcha.failed'), on('sending')]
const answer = zh('studentPage.captchaInput')

/** The SMS code beside its field, and the captcha before it. */
export const driver = createTerminalDriver({
  model: { ...smsCodeModels, parts: { sms: smsCodeModel } },
  adapt: ({ events, outcomes }) => {
    // Without the lock of an hour, since every second is drawn.
    const { absurd: _absurd, ...replies } = outcomes.smsCode as Readonly<Record<string, never>>
    // A captcha before a try with a code opens in the walks of the sign-in.
    const { 'captcha.prove': _proof, ...own } = events
    return { events: own, outcomes: { ...outcomes, smsCode: replies } }
  },
  view: smsCodeView,
  readings: {
    image: [(v) => isOpen(v) && v.c.picture !== null, read.has('▀▄▀')],
    answer: [({ captcha }) => captcha?.answer.trim() ?? '', read.readTypedValue(answer)],
    problem: [({ c }) => formatMessages(c.problem), read.red],
  },
  says: {
    'studentPage.captchaTitle': isOpen,
    'studentPage.resendIn': ({ left }) => countSeconds(left('smsLock')),
    'common.loading': (v) => isSending(v) || (isOpen(v) && v.c.picture === null && !hasFailed(v)),
  },
  gestures: {
    'sms.ask': by.key(zh('studentPage.getCode')),
    'captcha.prove': by.noKey,
    'captcha.type': ({ answer: to }) => by.retype(to, answer),
    'captcha.submit': by.key(zh('common.ok')),
    'captcha.renew': by.key(zh('studentPage.captchaNew')),
    'captcha.cancel': by.key(zh('common.cancel')),
  },
  screen: SmsForm,
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
