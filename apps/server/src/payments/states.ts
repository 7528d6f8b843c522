import type { CodeStatus } from '@jiaowu/api'
import type { OrderState } from '../platform/database/tables-student.ts'

/** What a client sees of a state (docs/rules/contract.md#student-service). */
const statuses: Readonly<Record<OrderState, CodeStatus>> = {
  FREE: '1',
  CREATING: '0',
  PENDING: '0',
  CLOSING: '0',
  PAID: '1',
  CLOSED: '2',
  FAILED: '3',
  REFUND_DUE: '4',
  REFUNDING: '4',
  REFUNDED: '4',
}
export const statusOf = (state: OrderState): CodeStatus => statuses[state]

/** States in which money may still come in. */
export const payable: readonly OrderState[] = ['CREATING', 'PENDING']

/** docs/rules/security.md#payments: time to pay as the student sees it, and the grace in which a payment begun in time may end. Milliseconds. */
export const payWindow = 180_000
export const grace = 60_000
/** An open order is given out again only while a person can still make use of it. */
export const reuseLeft = 60_000

/** Fen as yuan with 2 decimals, for the wire. */
export const yuanOf = (fen: number): number => fen / 100
