import { createHash } from 'node:crypto'
import type { Services } from '../model/context.ts'
import { Refusal } from '../platform/refusal.ts'
import type { IssuedDocument } from './document.ts'
import { drawFinal } from './drawing/draw.ts'
import { toIssuedDocument } from './content/rows.ts'
import { loadDocument, storeDocument } from './store.ts'

/** The document of an order; null when none was issued yet. */
export async function documentOfOrder(
  { database: { kysely } }: Services,
  tenant: string,
  orderNo: string,
): Promise<IssuedDocument | null> {
  const row = await kysely
    .selectFrom('sys.document as d')
    .innerJoin('sys.document_order as o', (join) =>
      join.onRef('o.tenant_id', '=', 'd.tenant_id').onRef('o.document_id', '=', 'd.id'),
    )
    .selectAll('d')
    .where('o.tenant_id', '=', tenant)
    .where('o.order_no', '=', orderNo)
    .executeTakeFirst()
  return row === undefined ? null : toIssuedDocument(row)
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/**
 * The bytes as issued. A missing or damaged file is drawn again, and returned only when its digest
 * matches.
 * @throws Refusal 404 when the document was revoked
 */
export async function readDocument(
  { database: { kysely }, settings, keys, log }: Services,
  document: IssuedDocument,
): Promise<Uint8Array> {
  const row = await kysely
    .selectFrom('sys.document')
    .selectAll()
    .where('tenant_id', '=', document.tenant)
    .where('id', '=', document.id)
    .executeTakeFirstOrThrow()
  if (row.revoked_at !== null) throw new Refusal(404, { key: 'document.revoked' })
  const stored =
    row.storage_name === null ? null : await loadDocument(settings, row.tenant_id, row.storage_name)
  if (stored !== null && digest(stored) === row.sha256) return stored
  log.error(
    { document: row.number, missing: stored === null },
    'a stored document is missing or damaged; drawing it again',
  )
  const drawn = await drawFinal({ settings, keys }, row)
  if (digest(drawn) !== row.sha256)
    throw new Error(
      `The stored document ${row.number} is damaged and cannot be drawn the same again: restore it from a backup.`,
    )
  await storeDocument(settings, row.tenant_id, row.sha256, drawn)
  return drawn
}
