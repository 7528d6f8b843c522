import { toProblem } from '@jiaowu/api/problem'
import type { SmsPurpose } from '@jiaowu/api/contract/student/student'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/** A picture captcha: `image` is a data URI (docs/rules/contract.md#student-service). */
export interface CaptchaPicture {
  readonly key: string
  readonly image: string
}
/** Versioned facts stored between reloads, never a snapshot. */
export interface SmsFacts {
  readonly version: 1
  /** Earliest time of the next SMS in milliseconds since 1970. */
  readonly lockedUntil: number
}

/** Each port is the call of that name in `student`. */
export interface SmsCodePorts {
  readonly captcha: Port<undefined, CaptchaPicture>
  /** Rejects wrong answers with the server's message. */
  readonly verify: Port<
    { readonly key: string; readonly answer: string },
    { readonly ticket: string }
  >
  /** Rejects with `data.lockSeconds` when the last SMS is too recent. */
  readonly smsCode: Port<
    { readonly mobile: string; readonly purpose: SmsPurpose; readonly ticket: string },
    { readonly lockSeconds: number }
  >
}

/** A wrong or unread code after which the server reads the next one with a captcha only. */
export function needsCaptcha(error: unknown): boolean {
  const { data } = toProblem(error)
  return (
    typeof data === 'object' &&
    data !== null &&
    'captchaNeeded' in data &&
    data.captchaNeeded === true
  )
}

export function smsCodeActors(ports: SmsCodePorts): ActorsOf<SmsCodePorts> {
  return createPortActors(ports, ['captcha', 'verify', 'smsCode'])
}
