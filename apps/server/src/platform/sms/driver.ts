import type { Settings } from '../settings/settings.ts'
import type { SmsAccount } from '../settings/settings-gateways.ts'

/** Templates registered with the provider. Only these can be sent (docs/rules/security.md#sign-in). */
export type SmsTemplate = keyof SmsAccount['templates']

interface SmsMessage {
  readonly mobile: string
  readonly template: SmsTemplate
  /** Values for the placeholders of the template, in their order. */
  readonly params: Readonly<Record<string, string>>
  /** The complete text from SYS_SMS_TEMPLATE; providers fill their own copy of the template. */
  readonly text: string
}

export interface SmsDriver {
  readonly name: Settings['smsDriver']
  /** Resolves when the provider has accepted the message. @throws SmsFailure also after 8 s without an answer */
  readonly send: (message: SmsMessage) => Promise<void>
  /**
   * Tries the account without sending anything; absent where the provider has no call of that kind.
   * @throws SmsFailure
   */
  readonly check?: () => Promise<void>
}

/** The provider refused or did not answer. `message` may be logged: it never holds code or number. */
export class SmsFailure extends Error {
  override readonly name = 'SmsFailure'
  /** The provider's code, or the name of the error without an answer. */
  readonly code: string
  constructor(message: string, options: { code: string; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.code = options.code
  }
}

/** The number of a template at the provider. @throws SmsFailure where the settings name none */
export function templateAt({ templates }: SmsAccount, template: SmsTemplate): string {
  const number = templates[template]
  if (number !== undefined) return number
  throw new SmsFailure(`no template is set for ${template}`, { code: 'NO_TEMPLATE' })
}

/** The account of the provider, which readSettings requires for every driver that needs one. */
export function requireSmsAccount({ smsAccount, smsDriver }: Settings): SmsAccount {
  if (smsAccount === undefined) throw new Error(`SMS_DRIVER ${smsDriver} has no account`)
  return smsAccount
}
