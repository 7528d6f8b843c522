import { findOwnCase } from '../entities/flow/read.ts'
import type { Context, ServerHandlers } from '../model/context.ts'
import { notFound } from '../platform/refusal.ts'
import { readCasePaper } from './case-papers.ts'
import { printCase } from './case-sheet.ts'
import type { DocumentRow } from './content/rows.ts'
import { buildPdfReply } from './pdf-reply.ts'

export const paperHandlers: ServerHandlers['paper'] = {
  download: async ({ params: { tag, id, number } }, context) => {
    const { tenant } = context.subject
    const caseId = await findOwnCase(context, await context.registry.get(tenant, tag), id)
    const row = await context.database.kysely
      .selectFrom('sys.document')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('case_id', '=', caseId)
      .where('number', '=', number)
      .executeTakeFirst()
    return await replyWithPaper(context, row)
  },
  print: async ({ params: { tag, id } }, context) =>
    await printCase(context, await context.registry.get(context.subject.tenant, tag), id),
}

/** @throws Refusal 404 without a row, or when it was revoked */
export async function replyWithPaper(
  context: Context,
  row: DocumentRow | undefined,
): Promise<Response> {
  if (row === undefined) throw notFound()
  const { bytes, fileName } = await readCasePaper(context, row)
  await context.auditAlone({
    action: 'document.download',
    object: 'RPT_DOCUMENT',
    objectId: row.id,
    result: 'ok',
    detail: { number: row.number },
  })
  return buildPdfReply(bytes, fileName)
}
