// Numbers that come back from a payment provider name their school: `JW7PSx7331904512360448`.
import { sql } from 'kysely'
import type { Services } from '../../model/context.ts'
import { firstInSchools } from '../../platform/database/schools.ts'
import { isId } from '../../platform/id.ts'

/** WeChat takes 32 letters and digits in an order number. */
const longest = 32

export function newOrderNo(tenant: string, id: string): string {
  const number = `JW${BigInt(tenant).toString(36).toUpperCase()}x${id}`
  return number.length > longest ? `JW${id}` : number
}

/** The school that an order number or refund number names; null for one from before they did. */
export function schoolInNumber(number: string): string | null {
  const [, digits] = /^JW([\dA-Z]{1,12})x\d+(?:R\d+)?$/.exec(number) ?? []
  if (digits === undefined) return null
  let id = 0n
  for (const digit of digits) id = id * 36n + BigInt(Number.parseInt(digit, 36))
  return isId(id.toString()) ? id.toString() : null
}

/** The school of an order; undefined for an order that none has. */
export function schoolOfOrder(services: Services, orderNo: string): Promise<string | undefined> {
  return schoolWith(services, 'biz.print_order', 'order_no', orderNo)
}

/** The school of a refund; undefined for a refund that none has. */
export function schoolOfRefund(services: Services, refundNo: string): Promise<string | undefined> {
  return schoolWith(services, 'sys.refund', 'refund_no', refundNo)
}

async function schoolWith(
  services: Services,
  table: 'biz.print_order' | 'sys.refund',
  column: 'order_no' | 'refund_no',
  number: string,
): Promise<string | undefined> {
  const inSchool = async (tenant: string) => {
    const { rows } = await sql<{ tenant_id: string }>`
      select tenant_id from ${sql.table(table)}
      where tenant_id = ${tenant}::int8 and ${sql.ref(column)} = ${number}`.execute(
      services.database.kysely,
    )
    return rows[0]?.tenant_id
  }
  const named = schoolInNumber(number)
  return await (named === null ? firstInSchools(services, inSchool) : inSchool(named))
}
