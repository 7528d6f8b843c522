import { type Kysely, sql, type Transaction } from 'kysely'
import type { Services } from '../model/context.ts'
import type { InTransaction } from '../platform/context.ts'
import { localTime } from '../model/fields/local-time.ts'
import { notFound } from '../platform/refusal.ts'
import type { Tables } from '../platform/database/tables/tables.ts'
import { transact } from '../platform/database/transact.ts'
import { newCode } from './code.ts'
import { hashOfContent } from './content/content-hash.ts'
import type { DocumentContent, DocumentKind } from '../platform/database/tables/document-content.ts'
import type { DocumentOf } from './document.ts'
import { assertMayBeIssued } from './content/eligible.ts'
import { sealedContent } from './content/sealed.ts'
import { gatherContent } from './content/gather.ts'
import { takeSoldContent } from './sold-content.ts'
import type { Keys } from '../platform/keys/keys.ts'
import type { DocumentRow } from './content/rows.ts'

const day = 86_400_000
/**
 * A later order gets the existing document when its content is the same and it was issued within
 * this time. Milliseconds.
 */
const freshFor = 30 * day
const letters: Readonly<Record<DocumentKind, string>> = {
  transcript: 'T',
  enrolled: 'E',
  conversion: 'C',
  other: 'P',
  notice: 'N',
}

/** Adds the audit line of a claimed number to the transaction that claims it. */
export type RecordClaim = (trx: InTransaction, number: string) => void

/**
 * Fixes the content of a document before it is drawn, in one short transaction. The same order
 * always gets the same row; concurrent claims are serialised by a lock on the student's row.
 */
export async function claimDocument(
  { database: { kysely }, keys, newId, now }: Services,
  of: DocumentOf & { readonly orderNo: string | null },
  record: RecordClaim = () => undefined,
): Promise<DocumentRow> {
  return await transact(kysely, async (trx) => {
    const { tenant, studentId, reportId, orderNo } = of
    const { rows } =
      await sql`select id from biz.student where tenant_id = ${tenant} and id = ${studentId} for update`.execute(
        trx,
      )
    if (rows.length === 0) throw notFound()
    const known = orderNo === null ? undefined : await findLinkedDocument(trx, tenant, orderNo)
    if (known !== undefined && (known.student_id !== studentId || known.report_id !== reportId))
      throw notFound()
    if (known !== undefined) return known
    const content =
      (orderNo === null ? null : await takeSoldContent(trx, { keys }, tenant, orderNo)) ??
      (await presentContent(keys, trx, of))
    const [at, hash] = [now(), hashOfContent(content)]
    const row =
      (await standing(trx, of, hash, at)) ??
      (await insertDocument(trx, { keys, newId }, { ...of, content, hash, at }))
    if (orderNo !== null)
      await trx
        .insertInto('sys.document_order')
        .values({ tenant_id: tenant, order_no: orderNo, document_id: row.id })
        .execute()
    record(trx, row.number)
    return row
  })
}

/** A document with its own number and code, whose content is fixed. `at`: when it is issued. */
export async function insertDocument(
  trx: Kysely<Tables>,
  { keys, newId }: Pick<Services, 'keys' | 'newId'>,
  { content, hash, at, ...of }: NewDocument,
): Promise<DocumentRow> {
  return await trx
    .insertInto('sys.document')
    .values({
      id: newId(),
      tenant_id: of.tenant,
      student_id: of.studentId,
      report_id: of.reportId,
      case_id: of.caseId ?? null,
      template: of.template ?? null,
      kind: content.kind,
      language: content.language,
      number: await nextNumber(trx, of.tenant, content.kind, at),
      code: newCode(of.tenant),
      content: JSON.stringify(sealedContent(keys, content)),
      content_hash: hash,
      issued_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

interface NewDocument {
  readonly tenant: string
  readonly studentId: string | null
  readonly reportId: string | null
  readonly caseId?: string
  readonly template?: string
  readonly content: DocumentContent
  readonly hash: string
  readonly at: Date
}

async function presentContent(keys: Keys, trx: Transaction<Tables>, of: DocumentOf) {
  const content = await gatherContent(keys, trx, of)
  assertMayBeIssued(content)
  return content
}

function findLinkedDocument(
  db: Kysely<Tables>,
  tenant: string,
  orderNo: string,
): Promise<DocumentRow | undefined> {
  return db
    .selectFrom('sys.document as d')
    .innerJoin('sys.document_order as o', (join) =>
      join.onRef('o.tenant_id', '=', 'd.tenant_id').onRef('o.document_id', '=', 'd.id'),
    )
    .selectAll('d')
    .where('o.tenant_id', '=', tenant)
    .where('o.order_no', '=', orderNo)
    .executeTakeFirst()
}

function standing(
  trx: Transaction<Tables>,
  { tenant, studentId, reportId }: DocumentOf,
  hash: string,
  now: Date,
): Promise<DocumentRow | undefined> {
  return trx
    .selectFrom('sys.document')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('student_id', '=', studentId)
    .where('report_id', '=', reportId)
    .where('content_hash', '=', hash)
    .where('revoked_at', 'is', null)
    .where('issued_at', '>', new Date(now.getTime() - freshFor).toISOString())
    .orderBy('issued_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * The next number of a kind and year: `T-2026-000123`. Without gaps, because the counter rolls back
 * with the claim.
 */
async function nextNumber(
  trx: Kysely<Tables>,
  tenant: string,
  kind: DocumentKind,
  now: Date,
): Promise<string> {
  const year = localTime(now).slice(0, 4)
  const { value } = await trx
    .insertInto('sys.serial_counter')
    .values({ tenant_id: tenant, tag: `document.${kind}`, period: year, value: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'tag', 'period'])
        .doUpdateSet({ value: sql`sys.serial_counter.value + 1` }),
    )
    .returning('value')
    .executeTakeFirstOrThrow()
  return `${letters[kind]}-${year}-${value.padStart(6, '0')}`
}
