/** The error part of an envelope (docs/rules/contract.md#envelope). */
export interface ErrorReply {
  /** HTTP status, 400 to 599. */
  readonly status: number
  /** Finer code; the status when left out. */
  readonly code?: number
  readonly msg?: string
  readonly data?: unknown
}

/** Thrown by an answer to make the call respond with an error envelope. */
export class Refused extends Error {
  readonly reply: ErrorReply

  constructor(reply: ErrorReply) {
    super(reply.msg ?? `refused with ${reply.status}`)
    this.name = 'Refused'
    this.reply = reply
  }
}

/** @throws Refused always; typed so that an answer can `return refuse(...)` */
export function refuseWith(reply: ErrorReply): never {
  throw new Refused(reply)
}
