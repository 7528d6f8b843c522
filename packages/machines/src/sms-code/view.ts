import type { Problem } from '@jiaowu/api/problem'
import type { SnapshotFrom } from 'xstate'
import type { smsCodeMachine } from './machine.ts'

export interface SmsCodeView {
  readonly step: 'idle' | 'captcha' | 'sending' | 'locked'
  /**
   * The dialog with the picture, which a click outside does not close; null when closed. `wrong`:
   * the next picture is loading and the message stays.
   */
  readonly captcha: {
    readonly step: 'loading' | 'entering' | 'verifying' | 'wrong' | 'failed'
    readonly image: string | null
    readonly answer: string
    readonly problem: Problem | null
  } | null
  /** Why no SMS was sent; shown beside the button. */
  readonly problem: Problem | null
  readonly can: {
    readonly ask: boolean
    readonly type: boolean
    readonly submit: boolean
    readonly renew: boolean
    readonly cancel: boolean
  }
}

type Snapshot = SnapshotFrom<typeof smsCodeMachine>

/**
 * Builds the view of the code request. The remaining seconds of the lock are in the child
 * `s.children.smsLock`, `context.secondsLeft`.
 */
export function smsCodeView(s: Snapshot): SmsCodeView {
  const { picture, answer, problem } = s.context
  const isOpen = s.hasTag('captcha')
  return {
    step: isOpen
      ? 'captcha'
      : s.matches('sending')
        ? 'sending'
        : s.matches('locked')
          ? 'locked'
          : 'idle',
    captcha: isOpen
      ? { step: captchaStep(s), image: picture?.image ?? null, answer, problem }
      : null,
    problem: isOpen ? null : problem,
    can: {
      ask: s.can({ type: 'sms.ask', mobile: '' }),
      type: s.can({ type: 'captcha.type', answer: '' }),
      submit: s.can({ type: 'captcha.submit' }),
      renew: s.can({ type: 'captcha.renew' }),
      cancel: s.can({ type: 'captcha.cancel' }),
    },
  }
}

function captchaStep(s: Snapshot) {
  if (s.matches({ captcha: 'loading' })) return 'loading'
  if (s.matches({ captcha: 'verifying' })) return 'verifying'
  if (s.matches({ captcha: 'wrong' })) return 'wrong'
  return s.matches({ captcha: 'failed' }) ? 'failed' : 'entering'
}
