import { createHash } from 'node:crypto'
import { createKeyedQueue } from '../platform/limits/keyed-queue.ts'
import type { Services } from '../model/context.ts'
import { claimDocument, type RecordClaim } from './claim.ts'
import type { DocumentOf, IssuedDocument } from './document.ts'
import { drawFinal } from './drawing/draw.ts'
import { type DocumentRow, toIssuedDocument } from './content/rows.ts'
import { isContentFixed, sellableContent } from './sold-content.ts'
import { storeDocument } from './store.ts'
import { DocumentUnmade } from './unmade.ts'
import { Refusal } from '../platform/refusal.ts'

/** Concurrent requests for the same document draw it once. */
const perDocument = createKeyedQueue()

/**
 * The final document of a paid or free order: issued now, or the one issued before. Without an
 * order number (staff) it is the newest one with the same content. May be repeated at any time,
 * concurrently and after a crash: number, code and bytes stay the same.
 * @throws Refusal 404 no such student or report, 422 when the document may not be issued
 */
export async function issueDocument(
  services: Services,
  of: DocumentOf & { readonly orderNo: string | null },
  record?: RecordClaim,
): Promise<IssuedDocument> {
  services.database.assertWritable()
  // A number is not given to a document that cannot be drawn, whose content could then not be mended.
  if (!(await isContentFixed(services, of))) await sellableContent(services, of)
  const claimed = await claimDocument(services, of, record)
  return await completeDocument(services, claimed)
}

/** The document of a claim, drawn now unless it was before. */
export function completeDocument(
  services: Services,
  claimed: DocumentRow,
): Promise<IssuedDocument> {
  services.database.assertWritable()
  return perDocument(claimed.id, () => complete(services, claimed))
}

/**
 * Draws, stores, then records the file. The first recorded file wins; concurrent calls return what
 * the row says.
 */
async function complete(services: Services, claimed: DocumentRow): Promise<IssuedDocument> {
  const {
    database: { kysely },
    settings,
  } = services
  const known =
    toIssuedDocument(claimed) ?? toIssuedDocument(await readDocumentRow(services, claimed))
  if (known !== null) return known
  const bytes = await drawFinal(services, claimed).catch((error: unknown) => {
    throw asUnmade(services, claimed, error)
  })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const name = await storeDocument(settings, claimed.tenant_id, sha256, bytes)
  await kysely
    .updateTable('sys.document')
    .set({ sha256, size: bytes.byteLength, storage_name: name })
    .where('tenant_id', '=', claimed.tenant_id)
    .where('id', '=', claimed.id)
    .where('sha256', 'is', null)
    .execute()
  const issued = toIssuedDocument(await readDocumentRow(services, claimed))
  if (issued === null) throw new Error('A document was drawn, but its row was not completed.')
  return issued
}

/** A busy thread is told as such; every other failure of the drawing would repeat itself. */
function asUnmade({ log }: Services, { number }: DocumentRow, error: unknown): Refusal {
  if (error instanceof Refusal && error.status !== 422) return error
  if (error instanceof Refusal) return new DocumentUnmade(error.text, error)
  log.error({ err: error, document: number }, 'a document could not be drawn')
  return new DocumentUnmade({ key: 'document.notDrawn' }, error)
}

function readDocumentRow(
  { database: { kysely } }: Services,
  { tenant_id, id }: Pick<DocumentRow, 'tenant_id' | 'id'>,
): Promise<DocumentRow> {
  return kysely
    .selectFrom('sys.document')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}
