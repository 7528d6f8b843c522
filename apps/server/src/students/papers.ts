// Documents about the student that flows have issued: notices of a change of status.
import { replyWithPaper } from '../documents/paper-handlers.ts'
import type { Context } from '../model/context.ts'
import { localTime } from '../model/fields/local-time.ts'

export async function listOwnPapers(context: Context) {
  const rows = await selectOwnPapers(context)
    .orderBy('issued_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  return rows.map(({ number, content, issued_at }) => ({
    number,
    name: content.reportName,
    issuedAt: localTime(new Date(issued_at)),
  }))
}

/** @throws Refusal 404 */
export async function downloadOwnPaper(context: Context, number: string): Promise<Response> {
  const row = await selectOwnPapers(context).where('number', '=', number).executeTakeFirst()
  return await replyWithPaper(context, row)
}

function selectOwnPapers({ database: { kysely }, subject: { tenant, userId } }: Context) {
  return kysely
    .selectFrom('sys.document')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('student_id', '=', userId)
    .where('case_id', 'is not', null)
    .where('revoked_at', 'is', null)
}
