import type { ReportItem } from '@jiaowu/api/contract/student/student'
import type { Context } from '../model/context.ts'
import { localTime } from '../model/fields/local-time.ts'
import { reportsFor } from './records.ts'

/** The reports of a student, each with the last time that the staff issued it. */
export async function withLastIssues(context: Context, studentId: string): Promise<ReportItem[]> {
  const {
    database: { kysely },
    subject: { tenant },
  } = context
  const rows = await kysely
    .selectFrom('biz.print_order as o')
    .leftJoin('sys.app_user as u', (join) =>
      join.onRef('u.tenant_id', '=', 'o.tenant_id').onRef('u.id', '=', 'o.create_user'),
    )
    .distinctOn('o.report_id')
    .select(['o.report_id', 'o.create_time', 'o.purpose', 'o.copies', 'u.name'])
    .where('o.tenant_id', '=', tenant)
    .where('o.student_id', '=', studentId)
    .where('o.source', '=', 'staff')
    .where('o.deleted_at', 'is', null)
    .orderBy('o.report_id')
    .orderBy('o.id', 'desc')
    .execute()
  const last = new Map(rows.map((row) => [row.report_id, row]))
  return (await reportsFor(kysely, tenant, studentId)).map((report) => {
    const row = last.get(report.id)
    return row === undefined
      ? report
      : {
          ...report,
          lastIssue: {
            at: localTime(new Date(row.create_time)),
            by: row.name,
            copies: row.copies,
            purpose: row.purpose,
          },
        }
  })
}
