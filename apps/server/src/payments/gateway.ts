import type { Settings } from '../platform/settings/settings.ts'

export type PayDriver = Settings['payDriver']

/** A payment provider (docs/rules/security.md#payments). Every call is idempotent by its number and has a timeout. */
export interface PayGateway {
  readonly name: PayDriver
  /** May be repeated with the same order number after a lost answer. @throws GatewayFailure */
  readonly create: (order: GatewayOrder) => Promise<{ readonly codeUrl: string }>
  /** `timeoutMs` shortens the timeout while a user waits. @throws GatewayFailure */
  readonly query: (orderNo: string, timeoutMs?: number) => Promise<GatewayState>
  /** `refused`: too early, or the payer is confirming the payment; try again later. @throws GatewayFailure */
  readonly close: (orderNo: string) => Promise<'closed' | 'refused'>
  /** @throws GatewayFailure */
  readonly refund: (refund: GatewayRefund) => Promise<RefundAnswer>
  /** @throws GatewayFailure */
  readonly queryRefund: (refundNo: string) => Promise<RefundAnswer | 'unknown'>
  /** The provider's statement of a day, `YYYY-MM-DD` in China. @throws GatewayFailure */
  readonly bill: (day: string) => Promise<readonly BillLine[]>
}

export interface GatewayOrder {
  readonly orderNo: string
  readonly amountFen: number
  readonly description: string
  /** The provider accepts no payment begun after this. */
  readonly expiresAt: Date
}
export interface GatewayRefund {
  readonly orderNo: string
  readonly refundNo: string
  readonly amountFen: number
  readonly totalFen: number
  readonly reason: string
}
export type RefundAnswer = 'processing' | 'done' | 'failed'
export interface BillLine {
  readonly orderNo: string
  readonly kind: 'payment' | 'refund'
  readonly amountFen: number
  readonly transactionId: string
}

/** A payment confirmed by the provider: the gateway has checked signature, merchant and currency. */
export interface VerifiedPayment {
  readonly orderNo: string
  readonly transactionId: string
  readonly amountFen: number
  readonly paidAt: Date
}
/** `unknown`: the provider has no such order. */
export type GatewayState =
  | { readonly state: 'paid'; readonly payment: VerifiedPayment }
  | { readonly state: 'open' | 'paying' | 'closed' | 'refunded' | 'unknown' }

/** The provider did not answer, or its answer is invalid or not signed. `message` holds no personal data. */
export class GatewayFailure extends Error {
  override readonly name = 'GatewayFailure'
  /** Repeating the call would fail in the same way. */
  readonly final: boolean
  /** The provider's code, or one of ours: `HTTP_429`, `UNSIGNED`, `TimeoutError`. */
  readonly code: string
  constructor(message: string, options: { final?: boolean; code?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.final = options.final ?? false
    this.code = options.code ?? 'INVALID_ANSWER'
  }
}
