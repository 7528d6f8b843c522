import type { CodeStatus } from '@jiaowu/api/contract/student/student'
import type { Services } from '../../model/context.ts'
import { toStatus, toYuan } from '../states.ts'
import type { OrderRow } from './order-row.ts'

/** An order as the contract shows it. `amount` in yuan, `expires_in` in seconds. */
export interface OrderAnswer {
  readonly orderNo: string
  readonly code_status: CodeStatus
  readonly code_url: string | null
  readonly amount: number
  readonly expires_in: number
}

export function buildOrderAnswer(services: Services, order: OrderRow): OrderAnswer {
  const isPending = order.state === 'PENDING'
  return {
    orderNo: order.order_no,
    code_status: toStatus(order.state),
    code_url: isPending ? order.code_url : null,
    amount: toYuan(order.amount_fen),
    expires_in: isPending ? Math.max(0, Math.floor(timeLeft(services, order) / 1000)) : 0,
  }
}

/** Milliseconds until the order expires; 0 for one that does not, negative afterwards. */
export function timeLeft({ now }: Services, { expires_at }: OrderRow): number {
  return expires_at === null ? 0 : new Date(expires_at).getTime() - now().getTime()
}
