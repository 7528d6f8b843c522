/** What is asked of a payment provider (docs/rules/security.md#payments). Every call is idempotent by its number and gives up within its time. */
export interface PayGateway {
  readonly name: 'sandbox' | 'wechat'
  /** The same order number may be created again after a lost answer. @throws GatewayFailure */
  readonly create: (order: GatewayOrder) => Promise<{ readonly codeUrl: string }>
  /** `patienceMs` shortens the wait for callers a person waits for. @throws GatewayFailure */
  readonly query: (orderNo: string, patienceMs?: number) => Promise<GatewayState>
  /** `refused`: too early, or somebody is typing a password just now; to be tried again. @throws GatewayFailure */
  readonly close: (orderNo: string) => Promise<'closed' | 'refused'>
  /** @throws GatewayFailure */
  readonly refund: (refund: GatewayRefund) => Promise<RefundAnswer>
  /** @throws GatewayFailure */
  readonly queryRefund: (refundNo: string) => Promise<RefundAnswer | 'unknown'>
  /** What the provider's books say of a day, `YYYY-MM-DD` in China. @throws GatewayFailure */
  readonly bill: (day: string) => Promise<readonly BillLine[]>
}

export interface GatewayOrder {
  readonly orderNo: string
  readonly amountFen: number
  readonly description: string
  /** After this nobody can begin to pay. */
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

/** A payment the provider vouches for: signature, merchant and currency are checked by the gateway before this is made. */
export interface VerifiedPayment {
  readonly orderNo: string
  readonly transactionId: string
  readonly amountFen: number
  readonly paidAt: Date
}
/** `unknown`: the provider has never heard of it. */
export type GatewayState =
  | { readonly state: 'paid'; readonly payment: VerifiedPayment }
  | { readonly state: 'open' | 'paying' | 'closed' | 'refunded' | 'unknown' }

/** The provider did not answer, answered nonsense, or what it answered is not signed by it. `message` holds no personal data. */
export class GatewayFailure extends Error {
  override readonly name = 'GatewayFailure'
  /** The same question will get the same answer: no use in asking again. */
  readonly final: boolean
  constructor(message: string, options: { final?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.final = options.final ?? false
  }
}
