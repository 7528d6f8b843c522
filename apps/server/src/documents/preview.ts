import type { Services } from '../model/context.ts'
import type { DocumentOf } from './document.ts'
import { drawPreview } from './drawing/draw.ts'
import { assertMayBeIssued } from './content/eligible.ts'
import { gatherContent } from './content/gather.ts'

/**
 * The document with its present content, watermarked and without number, code, seal or signature
 * (docs/rules/security.md#h3).
 * @throws Refusal 404 no such student or report, 422 when the document may not be issued
 */
export async function previewDocument(services: Services, of: DocumentOf): Promise<Uint8Array> {
  const { database, keys } = services
  const content = await gatherContent(keys, database.kysely, of)
  assertMayBeIssued(content)
  return await drawPreview(services, content)
}
