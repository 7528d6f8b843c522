// Documents that flows issue: claimed in the transaction of a decision, drawn when they are first downloaded.
import { type Papers, UncheckedPaper } from '../model/papers.ts'
import type { Services } from '../model/context.ts'
import { Refusal } from '../platform/refusal.ts'
import { insertDocument } from './claim.ts'
import { hashOfContent } from './content/content-hash.ts'
import { gatherNotice } from './content/gather.ts'
import type { DocumentRow } from './content/rows.ts'
import { assertDrawable } from './drawing/draw.ts'
import { completeDocument } from './issue.ts'
import { readDocument } from './read.ts'

export function createPapers(
  services: Pick<Services, 'settings' | 'memory' | 'keys' | 'newId' | 'now'>,
): Papers {
  const { keys, newId, now } = services
  return {
    assertDrawable: (content) => assertDrawable(services, content),
    claim: async (trx, paper, drawable) => {
      const content = await gatherNotice(keys, trx, paper)
      const hash = hashOfContent(content)
      if (!drawable.has(hash)) throw new UncheckedPaper(content, hash)
      const { number } = await insertDocument(
        trx,
        { keys, newId },
        { ...paper, reportId: null, content, hash, at: now() },
      )
      return number
    },
  }
}

/** The file of a document of a case; drawn the first time. @throws Refusal 404 when it was revoked */
export async function readCasePaper(
  services: Services,
  row: DocumentRow,
): Promise<{ readonly bytes: Uint8Array; readonly fileName: string }> {
  if (row.revoked_at !== null) throw new Refusal(404, { key: 'document.revoked' })
  const issued = await completeDocument(services, row)
  return { bytes: await readDocument(services, issued), fileName: issued.fileName }
}
