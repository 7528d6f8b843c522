// An order fixes what it sells when it is made: a name or a mark that changes while the student pays changes
// neither the document nor whether it can be drawn.
import { type Kysely, sql } from 'kysely'
import type { Services } from '../model/context.ts'
import type { Tables } from '../platform/database/tables/tables.ts'
import type { DocumentContent } from '../platform/database/tables/document-content.ts'
import { assertMayBeIssued } from './content/eligible.ts'
import { gatherContent } from './content/gather.ts'
import { openedContent, sealedContent } from './content/sealed.ts'
import type { DocumentOf } from './document.ts'
import { assertDrawable } from './drawing/draw.ts'

/**
 * The present content, which can be issued and drawn. Not to be called inside `transact`: it draws.
 * @throws Refusal 404 no such student or report; 422 when it may not be issued or a character cannot be drawn
 */
export async function sellableContent(
  services: Services,
  of: DocumentOf,
): Promise<DocumentContent> {
  const content = await gatherContent(services.keys, services.database.kysely, of)
  assertMayBeIssued(content)
  await assertDrawable(services, content)
  return content
}

type OrderKey = { readonly tenant_id: string; readonly id: string }

/** Fixes the content of an order; a repeated order that is still unpaid sells what its student saw last. */
export async function keepSoldContent(
  db: Kysely<Tables>,
  { keys, now }: Pick<Services, 'keys' | 'now'>,
  { tenant_id, id }: OrderKey,
  content: DocumentContent,
): Promise<void> {
  const values = { content: JSON.stringify(sealedContent(keys, content)), create_time: now() }
  await db
    .insertInto('sys.order_content')
    .values({ tenant_id, id, ...values })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doUpdateSet(values))
    .execute()
}

/** Whether the document of an order was claimed, or its content sold. */
export async function isContentFixed(
  { database: { kysely } }: Pick<Services, 'database'>,
  { tenant, orderNo }: { readonly tenant: string; readonly orderNo: string | null },
): Promise<boolean> {
  if (orderNo === null) return false
  const { rows } = await sql`
    select 1 from sys.document_order where tenant_id = ${tenant}::int8 and order_no = ${orderNo}
    union all
    select 1 from sys.order_content c join biz.print_order o on o.tenant_id = c.tenant_id and o.id = c.id
    where c.tenant_id = ${tenant}::int8 and o.order_no = ${orderNo}`.execute(kysely)
  return rows.length > 0
}

/** Takes the content that an order sold out of its place, for the claim of its document; null when there is none. */
export async function takeSoldContent(
  db: Kysely<Tables>,
  { keys }: Pick<Services, 'keys'>,
  tenant: string,
  orderNo: string,
): Promise<DocumentContent | null> {
  const row = await db
    .deleteFrom('sys.order_content')
    .where('tenant_id', '=', tenant)
    .where('id', '=', (e) =>
      e
        .selectFrom('biz.print_order')
        .select('id')
        .where('tenant_id', '=', tenant)
        .where('order_no', '=', orderNo),
    )
    .returning('content')
    .executeTakeFirst()
  return row === undefined ? null : openedContent(keys, row.content)
}

const day = 86_400_000
/** How long the contents of orders stay that were not paid. Milliseconds. */
const unsoldFor = 30 * day

/** Deletes the contents of old orders of a school that were not paid. */
export async function dropUnsold(
  { database: { kysely }, now }: Pick<Services, 'database' | 'now'>,
  tenant: string,
): Promise<void> {
  await kysely
    .deleteFrom('sys.order_content')
    .where('tenant_id', '=', tenant)
    .where('create_time', '<', new Date(now().getTime() - unsoldFor).toISOString())
    .where('id', 'not in', (e) =>
      e
        .selectFrom('biz.print_order')
        .select('id')
        .where('tenant_id', '=', tenant)
        .where('state', 'in', ['PAID', 'FREE']),
    )
    .execute()
}
