import { entityPermission, may } from '@jiaowu/api/entity/permission'
import { maskPii } from '@jiaowu/api/pii'
import type { ReportItem, StudentDetail } from '@jiaowu/api/contract/student/student'
import { sql } from 'kysely'
import { accessTo } from '../access/access.ts'
import { tableKey } from '../model/definition/column-key.ts'
import type { Context, Services } from '../model/context.ts'
import { Invalid, notFound } from '../platform/refusal.ts'
import { idNumbers } from '../model/sealed/sealed-columns.ts'
import type { RefundState } from '../platform/database/tables/tables-student.ts'
import { refundShown } from '../payments/states.ts'

type Db = Services['database']['kysely']

/**
 * Name, number, masked ID number, faculty, major and class of a student
 * (docs/spec/2-student-service-and-designer.md §3). @throws Refusal 404
 */
export async function studentDetail(
  { database: { kysely }, keys }: Pick<Services, 'database' | 'keys'>,
  tenant: string,
  id: string,
): Promise<StudentDetail> {
  const row = await kysely
    .selectFrom('biz.student as s')
    .leftJoin('biz.faculty as f', (join) =>
      join.onRef('f.tenant_id', '=', 's.tenant_id').onRef('f.id', '=', 's.faculty_id'),
    )
    .leftJoin('biz.major as m', (join) =>
      join.onRef('m.tenant_id', '=', 's.tenant_id').onRef('m.id', '=', 's.major_id'),
    )
    .leftJoin('biz.class as c', (join) =>
      join.onRef('c.tenant_id', '=', 's.tenant_id').onRef('c.id', '=', 's.class_id'),
    )
    .select([
      's.name',
      's.student_no',
      's.id_card',
      'f.name as faculty',
      'm.name as major',
      'c.name as class',
    ])
    .where('s.tenant_id', '=', tenant)
    .where('s.id', '=', id)
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return {
    fldXm: row.name,
    fldXh: row.student_no,
    fldSfzjh: row.id_card === null ? '' : maskPii('idCard', idNumbers(keys).open(row.id_card)),
    fldYxsh: row.faculty ?? '',
    fldZymc: row.major ?? '',
    fldBjmc: row.class ?? '',
  }
}

/** The reports of a school, each with the student's entitlement or open order. */
export async function reportsFor(db: Db, tenant: string, studentId: string): Promise<ReportItem[]> {
  const reports = await db
    .selectFrom('biz.report')
    .select(['id', 'report_code', 'report_name', 'report_language', 'report_type'])
    .where('tenant_id', '=', tenant)
    .where('enabled', '=', '1')
    .where('deleted_at', 'is', null)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const entitled = new Map(
    (
      await db
        .selectFrom('sys.entitlement as e')
        .innerJoin('biz.print_order as o', (join) =>
          join.onRef('o.tenant_id', '=', 'e.tenant_id').onRef('o.id', '=', 'e.order_id'),
        )
        .select(['e.report_id', 'o.order_no'])
        .where('e.tenant_id', '=', tenant)
        .where('e.student_id', '=', studentId)
        .where('e.revoked_at', 'is', null)
        .execute()
    ).map((row) => [row.report_id, row.order_no]),
  )
  const open = new Map(
    (
      await db
        .selectFrom('biz.print_order')
        .select(['report_id', 'order_no'])
        .where('tenant_id', '=', tenant)
        .where('student_id', '=', studentId)
        .where('state', 'in', ['CREATING', 'PENDING'])
        .where('deleted_at', 'is', null)
        .execute()
    ).map((row) => [row.report_id, row.order_no]),
  )
  const refunds = await loadRefundStates(db, tenant, studentId)
  return reports.map(({ id, report_code, report_name, report_language, report_type }) => ({
    id,
    fldid: id,
    reportCode: report_code,
    reportName: report_name,
    reportLanguage: report_language,
    reportType: report_type,
    owned: entitled.has(id),
    orderNo: entitled.get(id) ?? open.get(id) ?? null,
    ...toReportRefund(refunds.get(id)),
  }))
}

/** The state of the newest refund of each report, unless the student has paid for it again. */
async function loadRefundStates(
  db: Db,
  tenant: string,
  studentId: string,
): Promise<ReadonlyMap<string, RefundState>> {
  const rows = await db
    .selectFrom('sys.refund as f')
    .innerJoin('biz.print_order as o', (join) =>
      join.onRef('o.tenant_id', '=', 'f.tenant_id').onRef('o.id', '=', 'f.order_id'),
    )
    .leftJoin('sys.entitlement as e', (join) =>
      join
        .onRef('e.tenant_id', '=', 'o.tenant_id')
        .onRef('e.student_id', '=', 'o.student_id')
        .onRef('e.report_id', '=', 'o.report_id')
        .on('e.revoked_at', 'is', null),
    )
    .select(['o.report_id', 'f.state'])
    .where('f.tenant_id', '=', tenant)
    .where('o.student_id', '=', studentId)
    .where((x) => x.or([x('e.id', 'is', null), x('e.order_id', '=', x.ref('f.order_id'))]))
    .orderBy('f.id')
    .execute()
  return new Map(rows.map(({ report_id, state }) => [report_id, state]))
}

function toReportRefund(state: RefundState | undefined): Pick<ReportItem, 'refund'> {
  const refund = state === undefined ? null : refundShown(state)
  return refund === null ? {} : { refund }
}

/** Refuses parameters that name another student than the caller (docs/rules/security.md#h4). @throws Refusal 404 */
export async function assertOwn(
  { database: { kysely }, keys, subject }: Context,
  named: readonly (string | undefined)[],
): Promise<void> {
  const given = named.filter((name) => name !== undefined && name !== '')
  if (given.length === 0) return
  const own = await kysely
    .selectFrom('biz.student')
    .select(['student_no', 'account_mobile', 'id_card'])
    .where('tenant_id', '=', subject.tenant)
    .where('id', '=', subject.userId)
    .executeTakeFirst()
  const values = [
    subject.userId,
    subject.account,
    own?.student_no,
    own?.account_mobile,
    own?.id_card === null || own?.id_card === undefined ? null : idNumbers(keys).open(own.id_card),
  ]
  if (!given.every((name) => values.includes(name))) throw notFound()
}

/** Parameters with which staff name a student (docs/spec/2-student-service-and-designer.md §3). */
export interface StudentParameters {
  readonly stuNo?: string | undefined
  readonly FLD_XH?: string | undefined
  readonly account?: string | undefined
  readonly sfzh?: string | undefined
  readonly FLD_SFZJH?: string | undefined
}

/**
 * The student who matches all given parameters, among those that the caller may view by the rules of
 * roles. @throws Invalid without any, Refusal 404
 */
export async function findStudent(
  context: Context,
  { stuNo, FLD_XH, account, sfzh, FLD_SFZJH }: StudentParameters,
): Promise<string> {
  const { keys, subject } = context
  const numbers = [stuNo, FLD_XH, account].filter((text) => text !== undefined && text !== '')
  const ids = [sfzh, FLD_SFZJH].filter((text) => text !== undefined && text !== '').map(String)
  if (numbers.length + ids.length === 0)
    throw new Invalid([{ path: 'stuNo', rule: 'required', message: { key: 'rule.required' } }])
  let query = (await viewableStudents(context))
    .select('t.id')
    .where('t.tenant_id', '=', subject.tenant)
    .where('t.deleted_at', 'is', null)
  for (const number of numbers) query = query.where('t.student_no', '=', String(number).trim())
  for (const id of ids) query = query.where('t.id_card_index', '=', idNumbers(keys).blind(id))
  const found = await query.limit(1).executeTakeFirst()
  if (found === undefined) throw notFound()
  return found.id
}

/** @throws Refusal 404 unless the caller may view the student of an order */
export async function assertViewable(context: Context, studentId: string): Promise<void> {
  const query = (await viewableStudents(context)).select('t.id').where('t.id', '=', studentId)
  if ((await query.executeTakeFirst()) === undefined) throw notFound()
}

/**
 * The students that the row rules of the caller's roles show: a document is about a row, so that the
 * right to print alone reaches nobody. @throws Refusal 404 without the right to view students
 */
async function viewableStudents(context: Context) {
  const { registry, subject, database } = context
  const permitted = (await registry.all(subject.tenant)).find(
    (entity) =>
      tableKey(entity) === 'biz.student' &&
      may(subject.permissions, entityPermission(entity.tag, 'view')),
  )
  if (permitted === undefined) throw notFound()
  const { rows } = await accessTo(context, permitted, 'view')
  return database.kysely.selectFrom('biz.student as t').where(sql<boolean>`${rows}`)
}

interface ReportParameters {
  readonly reportId?: string | undefined
  readonly REPORT_ID?: string | undefined
}
/** @throws Invalid when no report or two different ones are named */
export function requireReportId({ reportId, REPORT_ID }: ReportParameters): string {
  const id = reportId ?? REPORT_ID
  if (id === undefined || (REPORT_ID !== undefined && REPORT_ID !== id))
    throw new Invalid([{ path: 'reportId', rule: 'required', message: { key: 'rule.required' } }])
  return id
}
