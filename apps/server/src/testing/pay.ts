/** What tests of orders and money need of the server's inside. */
export { checkInvariants, invariantNames, type Violation } from '../pay/invariants.ts'
export { type Buyer, cancelOrder, createOrder, ownOrder } from '../pay/orders.ts'
export { reconcileDay } from '../pay/reconcile.ts'
export { type Settlement, settle } from '../pay/settle.ts'
export { billDay, payRound, recoverPayments } from '../pay/workers.ts'
export { startSession } from '../auth/sessions.ts'
