// The rows that the table of rights aims at, made by the administrator of the first school.
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { TestApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { toCsv, waitForJob } from '../../support/imports.ts'
import type { World } from './world-types.ts'

type Admin = World['admin']
const school = '10000'

export async function createThings(
  { services: { database, newId, now } }: TestApp,
  admin: Admin,
  {
    student,
    studentNo,
    body,
  }: {
    student: Client<typeof contract>
    studentNo: string
    body: Readonly<Record<string, unknown>>
  },
): Promise<Omit<World['things'], 'sheet'>> {
  const params = { tag: 'EDU_STUDENT' }
  const { id: view } = await admin.view.create({
    params,
    body: { name: '管理员的视图', scope: 'mine', queries: {}, sorts: [] },
  })
  const bulk = await admin.bulk.update({
    params,
    body: { queries: { studentNo }, set: { nameEn: 'x' } },
  })
  const job = await admin.job.import({
    params,
    body: { file: toCsv('studentNo,name\nM-none,甲\n'), mode: 'insert', dryRun: 'true' } as never,
  })
  await waitForJob(admin, job.id)
  const message = newId()
  await database.kysely
    .insertInto('sys.message')
    .values({
      id: message,
      tenant_id: '10000',
      receiver_id: (await admin.session.whoami({})).id,
      title: '管理员的消息',
      create_time: now(),
    })
    .execute()
  const role = await admin.entityData.create({
    params: { tag: 'SYS_ROLE' },
    body: { code: 'M_SPARE', name: 'spare' },
  })
  const loaded = await admin.design.load({ params: { tag: 'EDU_MAJOR' } })
  const entity = await admin.design.save({ params: { tag: 'EDU_MAJOR' }, body: { ...loaded } })
  const reports = await student.student.reports({})
  const [report] = reports
  // The others need marks, which new students do not have.
  const proof = reports.find(({ reportCode }) => reportCode.startsWith('ENROLLED'))
  const order = await student.student.order({
    body: { reportId: report?.id ?? '', payType: 'wechat' },
  })
  return {
    view,
    bulk: bulk.id,
    job: job.id,
    message,
    role: role.id,
    entity: entity.id,
    orderNo: order.orderNo,
    studentNo,
    body,
    report: report?.id ?? '',
    proof: proof?.id ?? '',
    dictionary: await newDictionary(admin),
  }
}

/** The smallest GIF. */
export const picture = (): File =>
  new File(
    [Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
    'a.gif',
  )

const dictionary = 'm_rights'
/** A dictionary of the first school with one item; returns its code. */
async function newDictionary(admin: Admin): Promise<string> {
  await admin.entityData.create({
    params: { tag: 'SYS_DICT' },
    body: { code: dictionary, name: '权限测试' },
  })
  await newItem(admin, 0)
  return dictionary
}

/** An item of the dictionary of the first school. */
export async function newItem(admin: Admin, n: number): Promise<string> {
  const body = { dictCode: dictionary, itemCode: String(n), name: `词条${n}` }
  return (await admin.dictionaryItem.create({ body })).id
}

/** Puts the account into an organisation with one below it, and a teacher and a class into each of three. */
export async function placeInOrganisation(
  { services: { database, newId } }: TestApp,
  admin: Admin,
  userId: string,
): Promise<void> {
  const { kysely } = database
  const [root, below, aside] = [newId(), newId(), newId()]
  await kysely
    .insertInto('sys.org')
    .values(
      [root, below, aside].map((id, n) => ({
        id,
        tenant_id: school,
        pid: id === below ? root : '0',
        code: `m-org-${n}`,
        name: `院系${n}`,
        sort: n,
      })),
    )
    .execute()
  await kysely
    .updateTable('sys.app_user')
    .set({ org_id: root })
    .where('tenant_id', '=', school)
    .where('id', '=', userId)
    .execute()
  for (const [table, tag] of [
    ['biz.teacher', 'EDU_TEACHER'],
    ['biz.class', 'EDU_CLASS'],
  ] as const) {
    const { records } = await admin.entityData.page({
      params: { tag },
      body: { queries: {}, pageSize: 3 },
    })
    for (const [n, { id }] of records.entries())
      await sql`update ${sql.table(table)} set org_id = ${[root, below, aside][n]}::int8
        where tenant_id = ${school}::int8 and id = ${String(id)}::int8`.execute(kysely)
  }
}

/** A refund that staff of the first school requested for a paid order of its own. */
export async function newRefund(
  { services: { database, newId, now } }: TestApp,
  orderNo: string,
  n: number,
): Promise<string> {
  const { kysely } = database
  const order = await kysely
    .selectFrom('biz.print_order')
    .select(['tenant_id', 'student_id', 'report_id', 'amount_fen', 'source'])
    .where('tenant_id', '=', school)
    .where('order_no', '=', orderNo)
    .executeTakeFirstOrThrow()
  const [orderId, id] = [newId(), newId()]
  await kysely
    .insertInto('biz.print_order')
    .values({
      ...order,
      id: orderId,
      order_no: `${orderNo}M${n}`,
      state: 'CLOSED',
      create_time: now(),
      update_time: now(),
    })
    .execute()
  await kysely
    .insertInto('sys.refund')
    .values({
      id,
      tenant_id: school,
      order_id: orderId,
      refund_no: `${orderNo}M${n}R1`,
      amount_fen: 500,
      state: 'REQUESTED',
      reason: '重复缴费',
      automatic: false,
      requested_by: '1',
      create_time: now(),
    })
    .execute()
  return id
}

/** A request of a student of the first school to register with a new mobile. */
export async function newRegistration(
  { services: { database, newId, now } }: TestApp,
  student: string,
): Promise<string> {
  const id = newId()
  await database.kysely
    .insertInto('biz.registration')
    .values({
      id,
      tenant_id: school,
      student_id: student,
      mobile: '13611119999',
      state: 'PENDING',
      expires_at: new Date(now().getTime() + 86_400_000),
      create_time: now(),
      update_time: now(),
    })
    .execute()
  return id
}

/** Issues a document of the first school, unless a valid one exists. Returns its number. */
export async function newDocument(
  { services: { database } }: TestApp,
  admin: Admin,
  { studentNo, report }: Pick<World['things'], 'studentNo' | 'report'>,
): Promise<string> {
  await admin.print.adminDownload({ body: { stuNo: studentNo, reportId: report } })
  const { number } = await database.kysely
    .selectFrom('sys.document')
    .select('number')
    .where('tenant_id', '=', school)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return number
}

/** A discrepancy of the first school, open or settled by somebody who is not among the subjects. */
export async function newDiscrepancy(
  { services: { database, newId, now } }: TestApp,
  isSettled: boolean,
): Promise<string> {
  const id = newId()
  await database.kysely
    .insertInto('sys.pay_discrepancy')
    .values({
      id,
      tenant_id: school,
      day: '2026-03-01',
      order_no: `JWM${id}`,
      kind: 'paidUnknown',
      our_fen: null,
      their_fen: 500,
      create_time: now(),
      ...(isSettled ? { settled: true, settled_at: now(), note: '线下核对' } : {}),
    })
    .execute()
  return id
}
