import type { Services } from '../../model/context.ts'
import { findGateway } from '../gateways.ts'
import { payWindow } from '../states.ts'
import { newOrderNo } from './order-number.ts'
import { type Buyer, orderColumns } from './order-row.ts'

/** Noted with a document that the staff issue. */
export interface CounterIssue {
  readonly purpose?: string | undefined
  readonly copies?: number | undefined
}

interface NewOrder {
  readonly state: 'FREE' | 'CREATING'
  readonly amountFen: number
  readonly payType: string
  readonly source?: 'student' | 'staff'
  /** User id of the member of staff who issues the document. */
  readonly by?: string | null
  readonly issue?: CounterIssue
}

export function insertOrder(
  db: Services['database']['kysely'],
  services: Services,
  { tenant, studentId, reportId }: Buyer,
  { state, amountFen, payType, source = 'student', by = null, issue = {} }: NewOrder,
) {
  const isFree = state === 'FREE'
  const now = services.now()
  return db
    .insertInto('biz.print_order')
    .values({
      id: services.newId(),
      tenant_id: tenant,
      order_no: newOrderNo(tenant, services.newId()),
      student_id: studentId,
      report_id: reportId,
      amount_fen: amountFen,
      pay_type: payType,
      state,
      source,
      gateway: isFree ? null : findGateway(services).name,
      code_url: null,
      failure: null,
      purpose: issue.purpose ?? null,
      copies: issue.copies ?? null,
      create_user: by,
      create_time: now,
      update_time: now,
      expires_at: isFree ? null : new Date(now.getTime() + payWindow),
    })
    .returning(orderColumns)
    .executeTakeFirstOrThrow()
}
