/** The texts a provider knows by a number of its own: nothing else can be sent (docs/rules/security.md#sign-in, fixed template). */
export type SmsTemplate = 'LOGIN_CODE' | 'REGISTER_CODE'

export interface SmsMessage {
  readonly mobile: string
  readonly template: SmsTemplate
  /** The holes of the template, in its order. */
  readonly params: Readonly<Record<string, string>>
  /** The sentence as SYS_SMS_TEMPLATE has it; providers use their own copy of it. */
  readonly text: string
}

export interface SmsDriver {
  readonly name: 'outbox' | 'aliyun' | 'tencent'
  /** Resolves when the provider has taken the message. @throws SmsFailure when it has not, or did not answer within 8 s */
  readonly send: (message: SmsMessage) => Promise<void>
}

/** The provider refused or did not answer; `message` is fit for a log, it never holds the code or the number. */
export class SmsFailure extends Error {
  override readonly name = 'SmsFailure'
}
