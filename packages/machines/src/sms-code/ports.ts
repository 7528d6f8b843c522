import type { SmsPurpose } from '@jiaowu/api'
import { actorsOf, type ActorsOf, type Port } from '../port.ts'

/** A picture captcha: `image` is a data URI (docs/rules/contract.md#student-service). */
export interface CaptchaPicture {
  readonly key: string
  readonly image: string
}
/** What is kept between reloads: facts with a version, never a snapshot. */
export interface SmsFacts {
  readonly version: 1
  /** When the next SMS may be asked for, milliseconds since 1970. */
  readonly lockedUntil: number
}

/** Each port is the contract call of that name in `student`. */
export interface SmsCodePorts {
  readonly captcha: Port<undefined, CaptchaPicture>
  /** Rejects when the answer is wrong, with the server's sentence. */
  readonly verify: Port<
    { readonly key: string; readonly answer: string },
    { readonly ticket: string }
  >
  /** Rejects with `data.lockSeconds` when it is too soon. */
  readonly smsCode: Port<
    { readonly mobile: string; readonly purpose: SmsPurpose; readonly ticket: string },
    { readonly lockSeconds: number }
  >
}

export function smsCodeActors(ports: SmsCodePorts): ActorsOf<SmsCodePorts> {
  return actorsOf(ports, ['captcha', 'verify', 'smsCode'])
}
