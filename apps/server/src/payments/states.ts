import type { CodeStatus } from '@jiaowu/api/contract/student/student'
import type { OrderState, RefundState } from '../platform/database/tables/tables-student.ts'

/** The contract's status of each state (docs/rules/contract.md#student-service). */
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
export const toStatus = (state: OrderState): CodeStatus => statuses[state]

/**
 * Translates the state of a refund for the student: null when it was refused, or failed and waits
 * for a new request.
 */
export function refundShown(state: RefundState): 'requested' | 'underway' | 'done' | null {
  return refundsShown[state]
}

const refundsShown = {
  REQUESTED: 'requested',
  DUE: 'underway',
  SENT: 'underway',
  DONE: 'done',
  REJECTED: null,
  FAILED: 'underway',
} as const satisfies Record<RefundState, string | null>

/** States in which the student can pay. */
export const payable: readonly OrderState[] = ['CREATING', 'PENDING']

/**
 * Milliseconds to pay, as shown to the student, and the grace for payments begun in time
 * (docs/rules/security.md#payments).
 */
export const payWindow = 180_000
export const grace = 60_000
/** An open order is returned again only with so many milliseconds left to pay. */
export const reuseLeft = 60_000

/** Converts fen to yuan with 2 decimals, for the wire. */
export const toYuan = (fen: number): number => fen / 100
