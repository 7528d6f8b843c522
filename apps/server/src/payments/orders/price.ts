import type { Services } from '../../model/context.ts'
import { notFound } from '../../platform/refusal.ts'
import type { Buyer } from './order-row.ts'

type Db = Services['database']['kysely']

/**
 * Price in fen of the next download of a report: its price the first time, 0 after that
 * (docs/spec/2-student-service-and-designer.md §9, docs/rules/security.md#n12). @throws Refusal 404
 */
export async function computePrice(
  db: Db,
  buyer: Buyer,
): Promise<{ name: string; amountFen: number }> {
  const report = await db
    .selectFrom('biz.report')
    .select(['report_name', 'price_fen'])
    .where('tenant_id', '=', buyer.tenant)
    .where('id', '=', buyer.reportId)
    .where('enabled', '=', '1')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (report === undefined) throw notFound()
  const amountFen = (await isEntitled(db, buyer)) ? 0 : report.price_fen
  return { name: report.report_name, amountFen }
}

export async function isEntitled(db: Db, { tenant, studentId, reportId }: Buyer): Promise<boolean> {
  const entitlement = await db
    .selectFrom('sys.entitlement')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('student_id', '=', studentId)
    .where('report_id', '=', reportId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return entitlement !== undefined
}
