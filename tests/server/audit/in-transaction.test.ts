// Every call that may write, by the route table: a row may be written only in a transaction that also
// writes an audit line. A trigger at the commit refuses others (docs/rules/security.md#l1).
import { setTimeout as sleep } from 'node:timers/promises'
import { schoolDay } from '@jiaowu/api/formats'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../../apps/server/src/http/routes.ts'
import { idNumberOf, testPassword } from '@jiaowu/server/testing'
import { payingApp } from '../../support/payments/payment-app.ts'
import { receiveCode, studentClient } from '../../support/student.ts'
import { refuseUnaudited } from './audit-trigger.ts'
import { applicationCalls } from './application-calls.ts'
import { factorCalls } from './factor-calls.ts'
import { hookCalls, tokenCalls } from './hook-calls.ts'
import { sheetCalls } from './sheet-calls.ts'

type Scene = Awaited<ReturnType<typeof prepare>>

let stage: Awaited<ReturnType<typeof payingApp>>
let scene: Scene
beforeAll(async () => {
  stage = await payingApp()
  scene = await prepare()
  await refuseUnaudited(stage.app.services.database.kysely)
}, 120_000)
afterAll(() => stage.stop())

/** Two administrators, two students, a paid order, a request to register, and differences to settle. */
async function prepare() {
  const { app, wechat } = stage
  const { kysely } = app.services.database
  const admin = await app.signIn('admin')
  const { id } = await admin.session.whoami({})
  await sql`
    insert into sys.app_user (id, tenant_id, account, name, password_hash, role_ids)
    select 99, tenant_id, 'second', 'second', password_hash, role_ids from sys.app_user
    where id = ${id}::int8`.execute(kysely)
  const second = await app.signIn('second')
  const student = await studentClient(app, '13800000001')
  const { fldXh: stuNo } = await student.student.detail({})
  const reports = (await student.student.reports({})).map((report) => report.id)
  const order = (reportId = '') =>
    student.student.order({ body: { reportId, payType: 'wechat' } }).then(({ orderNo }) => orderNo)
  const pay = async (orderNo: string) => {
    wechat.pay(orderNo)
    const { body, headers } = wechat.notification(orderNo)
    const path = 'http://jiaowu.test/pay/wechat/notify'
    await app.fetch(new Request(path, { method: 'POST', headers, body }))
    return orderNo
  }
  const paidOrder = await pay(await order(reports[0]))
  const [open, settled, asked] = [app.services.newId(), app.services.newId(), app.services.newId()]
  await sql`
    insert into biz.registration (id, tenant_id, student_id, mobile, expires_at)
    select ${asked}::int8, tenant_id, id, '13611119998', now() + interval '1 day' from biz.student
    where tenant_id = 10000 and account_mobile is null order by id desc limit 1`.execute(kysely)
  for (const [row, by] of [
    [open, null],
    [settled, '99'],
  ] as const)
    await sql`
      insert into sys.pay_discrepancy (id, tenant_id, day, order_no, kind, settled, settled_by, create_time)
      values (${row}::int8, 10000, '2026-01-05', ${`JW${row}`}, 'amount', ${by !== null}, ${by}::int8, now())`.execute(
      kysely,
    )
  return {
    app,
    kysely,
    admin,
    second,
    student,
    stuNo,
    reports,
    order,
    pay,
    paidOrder,
    open,
    settled,
    asked,
  }
}

const faculty = { tag: 'EDU_FACULTY' }
let made = 0
const newFaculty = ({ admin }: Scene) => {
  made += 1
  return admin.entityData.create({
    params: faculty,
    body: { code: `Q${made}`, name: `院系 ${made}` },
  })
}
const recycleFaculty = async (on: Scene) => {
  const { id } = await newFaculty(on)
  await on.admin.entityData.remove({ params: { ...faculty, ids: id } })
  return id
}
const sheet = (name: string) =>
  new File([`code,name\n${name},院系 ${name}\n`], `${name}.csv`, { type: 'text/csv' })
const waitForEnd = async (
  read: () => Promise<{ status: string; message: string | null }>,
): Promise<string> => {
  for (let tries = 0; ; tries += 1) {
    const { status, message } = await read()
    if (status === 'failed') throw new Error(`the job failed: ${message}`)
    if (!['queued', 'running'].includes(status) || tries > 200) return status
    await sleep(50)
  }
}
const startImport = (on: Scene, name: string, pauseAt: 'review' | 'none') =>
  on.admin.job.import({
    params: faculty,
    body: { file: sheet(name), mode: 'insert', pauseAt } as never,
  })
const waitForReviewPause = async ({ admin }: Scene, id: string) => {
  expect(await waitForEnd(() => admin.job.get({ params: { id } }))).toBe('paused')
  return id
}
const startBulkChange = async (on: Scene) => {
  const { id } = await newFaculty(on)
  const job = await on.admin.bulk.update({
    params: faculty,
    body: { ids: [id], set: { name: `改 ${id}` } },
  })
  expect(await waitForEnd(() => on.admin.bulk.get({ params: { id: job.id } }))).toBe('paused')
  return job.id
}
const buildSharedView = (name: string) => ({
  name,
  scope: 'everyone' as const,
  queries: {},
  sorts: [],
})
const newDefinition = async ({ admin, kysely }: Scene, tag: string) => {
  await sql
    .raw(`create table if not exists biz.${tag.toLowerCase()} (id bigint primary key, title text,
      tenant_id bigint not null, version integer not null default 1)`)
    .execute(kysely)
  const name = tag.toLowerCase()
  const { definition: draft } = await admin.design.draft({ params: { name }, query: { tag } })
  return admin.design.create({ body: { ...draft, name: tag } as never })
}
const createNoteFile = (text: string) => new File([text], 'note.txt', { type: 'text/plain' })
const onFaculty = async (on: Scene) => {
  const { id } = await newFaculty(on)
  const body = { file: createNoteFile('text'), bizType: 'EDU_FACULTY', bizId: id }
  return on.admin.attachment.upload({ body })
}
const requestRefund = async (on: Scene) =>
  on.second.print.requestRefund({ body: { orderNo: on.paidOrder, reason: '重复付款' } })
const dictionaryItem = async ({ admin }: Scene) => {
  made += 1
  const body = { dictCode: 'sex', itemCode: `z${made}`, name: `z${made}` }
  return admin.dictionaryItem.create({ body })
}

const grades = { tag: 'EDU_GRADE' }
/** Submits a sheet of grades that is still open. */
async function submittedSheet({ admin }: Scene) {
  const { records } = await admin.entityData.page({ params: grades, body: { pageSize: 200 } })
  for (const { course, term } of records) {
    const by = { course, term } as never
    const { entered, locked } = await admin.entry.read({ params: grades, body: { by } })
    if (locked !== null) continue
    await admin.entry.submit({ params: grades, body: { by, entered } })
    return { by }
  }
  throw new Error('every sheet is submitted')
}

/** Why a call of another method than GET writes no data of the school. */
type Exempt =
  | 'reads'
  | 'own settings'
  | 'counters and codes'
  | 'a queue of its own'
  /** tests/server/identity/sso.test.ts */
  | 'needs a provider'
  | 'needs a browser'
  /** tests/server/flows/audit.test.ts */
  | 'in a school of its own'
const calls: Readonly<Record<string, Exempt | ((on: Scene) => Promise<unknown>)>> = {
  'session.signIn': ({ app }) => app.signIn('viewer'),
  'session.signOut': async ({ app }) => (await app.signIn('viewer')).session.signOut({}),
  'session.changePassword': async ({ app }) => {
    const viewer = await app.signIn('viewer')
    const words = ['Jiaowu-tests-2026', 'Jiaowu-tests-2027'] as const
    const change = (oldPassword: string, newPassword: string) =>
      viewer.session.changePassword({ body: { oldPassword, newPassword } })
    await change(words[0], words[1])
    await change(words[1], words[0])
  },
  'reauthentication.prove': ({ admin }) =>
    admin.reauthentication.prove({ body: { password: testPassword } }),
  'sso.backchannel': 'needs a provider',
  'sso.enter': 'needs a provider',
  'sso.logout': 'needs a provider',
  'sso.prove': 'needs a provider',
  'sso.proven': 'needs a provider',
  'device.start': 'counters and codes',
  'device.poll': async ({ admin, app }) => {
    const { deviceCode, userCode } = await app.client('').device.start({})
    await admin.device.decide({ body: { userCode, agree: true } })
    return app.client('').device.poll({ body: { deviceCode } })
  },
  'device.startProof': 'counters and codes',
  'device.pollProof': async ({ admin }) => {
    const { deviceCode, userCode } = await admin.device.startProof({})
    await admin.device.decide({ body: { userCode, agree: true } })
    return admin.device.pollProof({ body: { deviceCode } })
  },
  'device.look': 'reads',
  'device.decide': async ({ admin, app }) => {
    const { userCode } = await app.client('').device.start({})
    return admin.device.decide({ body: { userCode, agree: false } })
  },
  'ownSessions.end': async ({ app }) => {
    await app.signIn('viewer')
    const viewer = await app.signIn('viewer')
    const { ended } = await viewer.ownSessions.end({ params: { id: 'others' } })
    expect(ended).not.toEqual([])
  },
  ...factorCalls,
  'account.endSessions': async ({ admin, app, kysely }) => {
    await app.signIn('clerk')
    const clerk = await kysely
      .selectFrom('sys.app_user')
      .select('id')
      .where('account', '=', 'clerk')
      .executeTakeFirstOrThrow()
    expect((await admin.account.endSessions({ params: clerk })).ended).toBeGreaterThan(0)
  },
  ...hookCalls,
  ...tokenCalls,
  'account.createMany': ({ admin }) =>
    admin.account.createMany({
      body: { accounts: [{ account: `made${Date.now()}`, name: '新' }] },
    }),
  'account.resetPassword': async ({ admin, kysely }) => {
    const clerk = await kysely
      .selectFrom('sys.app_user')
      .select('id')
      .where('account', '=', 'clerk')
      .executeTakeFirstOrThrow()
    return admin.account.resetPassword({ params: clerk })
  },
  'entityData.page': 'reads',
  'entityData.count': 'reads',
  'entityData.create': newFaculty,
  'entityData.update': async (on) => {
    const row = await newFaculty(on)
    return on.admin.entityData.update({
      params: { ...faculty, id: row.id },
      body: { version: row.version, name: `改 ${row.id}` },
    })
  },
  'entityData.remove': recycleFaculty,
  'entityData.lookup': 'reads',
  'entityData.lookupForm': 'reads',
  'entityData.reveal': 'counters and codes',
  'entityData.export': 'reads',
  ...applicationCalls,
  'flow.send': 'in a school of its own',
  'flow.decide': 'in a school of its own',
  'flow.todo': 'reads',
  'flow.transfer': 'in a school of its own',
  'design.moveCases': 'in a school of its own',
  'account.handOver': 'in a school of its own',
  'flow.add': 'in a school of its own',
  'flow.copy': 'in a school of its own',
  'flow.openCopy': 'own settings',
  'flow.delegate': 'in a school of its own',
  'flow.endDelegation': 'in a school of its own',
  'history.recycled': 'reads',
  'history.restore': async (on) =>
    on.admin.history.restore({ params: { ...faculty, ids: await recycleFaculty(on) } }),
  'history.purge': async (on) =>
    on.admin.history.purge({
      params: { ...faculty, ids: await recycleFaculty(on) },
      body: { count: 1 },
    }),
  'role.savePermissions': async ({ admin, kysely }) => {
    const { id } = await kysely
      .selectFrom('sys.role')
      .select('id')
      .where('tenant_id', '=', '10000')
      .where('code', '!=', 'ROLE_ADMIN')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const { version, codes, rules } = await admin.role.permissions({ params: { id } })
    const body = { version, codes: [...codes, 'pay:refund'], rules: [...rules] }
    return admin.role.savePermissions({ params: { id }, body })
  },
  'provider.check': 'counters and codes',
  'provider.testSms': 'counters and codes',
  'role.checkScope': 'reads',
  'dictionaryItem.page': 'reads',
  'dictionaryItem.create': dictionaryItem,
  'dictionaryItem.update': async (on) => {
    const { id, version } = await dictionaryItem(on)
    return on.admin.dictionaryItem.update({ body: { id, version, name: 'zz' } as never })
  },
  'dictionaryItem.remove': async (on) =>
    on.admin.dictionaryItem.remove({ query: { ids: (await dictionaryItem(on)).id } }),
  'dictionaryItem.export': 'reads',
  'dictionaryItem.import': 'a queue of its own',
  'dictionaryItem.preview': 'a queue of its own',
  'attachment.upload': onFaculty,
  'attachment.remove': async (on) =>
    on.admin.attachment.remove({ query: { ids: (await onFaculty(on)).id } }),
  'attachment.ticket': 'counters and codes',
  'audit.verify': 'reads',
  'design.page': 'reads',
  'design.create': (on) => newDefinition(on, 'AUD_A'),
  'design.update': async (on) => {
    const { id, version, ...definition } = await newDefinition(on, 'AUD_B')
    return on.admin.design.update({ params: { id }, body: { ...definition, version } as never })
  },
  'design.save': async (on) => {
    const { tag, version, ...definition } = await newDefinition(on, 'AUD_C')
    const body = { ...definition, tag, version } as never
    return on.admin.design.save({ params: { tag }, body })
  },
  'design.remove': async (on) =>
    on.admin.design.remove({ params: { id: (await newDefinition(on, 'AUD_D')).id } }),
  'design.check': 'reads',
  'design.draftAll': 'reads',
  'design.adopt': async ({ admin, kysely }) => {
    await sql`create table biz.aud_e (id bigint primary key, name text)`.execute(kysely)
    const { drafts } = await admin.design.draftAll({ body: { tables: ['biz.aud_e'] } })
    const definitions = drafts.map(({ definition }) => ({ ...definition }))
    return admin.design.adopt({ body: { definitions } })
  },
  ...sheetCalls,
  'student.captcha': 'counters and codes',
  'student.verify': 'counters and codes',
  'student.register': async ({ app, kysely }) => {
    const { rows } = await sql<{ id_card: string; name: string }>`
      select s.id_card, m.name from biz.student s join biz.major m
      on m.tenant_id = s.tenant_id and m.id = s.major_id
      where s.account_mobile is null and s.tenant_id = 10000 limit 1`.execute(kysely)
    const mobile = '13900000009'
    const verCode = await receiveCode(app, mobile, '2')
    const { id_card = null, name: zymc = '' } = rows[0] ?? {}
    const sfzh = idNumberOf(app.services, id_card)
    return app.client('').student.register({ body: { sfzh, zymc, mobile, verCode } })
  },
  'student.signIn': ({ app }) => studentClient(app, '13800000002'),
  'registration.decide': ({ admin, asked: id }) =>
    admin.registration.decide({ params: { id }, body: { version: 1, agree: true } }),
  'student.notices': 'reads',
  'student.preview': 'reads',
  'student.order': ({ order, reports }) => order(reports[1]),
  'student.cancelOrder': async ({ student, order, reports }) =>
    student.student.cancelOrder({ body: { orderNo: await order(reports[1]) } }),
  'print.studentDetail': 'reads',
  'print.preview': 'reads',
  'print.order': (on) => on.admin.print.order({ body: buildPrintBody(on) }),
  'print.cancelOrder': async ({ admin, order, reports }) =>
    admin.print.cancelOrder({ body: { orderNo: await order(reports[1]) } }),
  'print.download': (on) => on.admin.print.download({ body: buildPrintBody(on) }),
  'print.adminDownload': (on) => on.admin.print.adminDownload({ body: buildPrintBody(on) }),
  'print.requestRefund': requestRefund,
  'print.decideRefund': async ({ admin }) => {
    const { records } = await admin.print.refunds({ query: { state: 'REQUESTED' } })
    const id = records[0]?.id ?? ''
    return admin.print.decideRefund({ params: { id }, body: { agree: false } })
  },
  'print.settleDiscrepancy': ({ admin, open: id }) =>
    admin.print.settleDiscrepancy({ params: { id }, body: { note: '已核对' } }),
  'print.checkDiscrepancy': ({ admin, settled: id }) =>
    admin.print.checkDiscrepancy({ params: { id }, body: { agree: true } }),
  'print.reconcile': ({ admin, app }) =>
    admin.print.reconcile({ body: { day: schoolDay(app.services.now()) } }),
  'job.import': async (on) => {
    const { id } = await startImport(on, 'I1', 'none')
    expect(await waitForEnd(() => on.admin.job.get({ params: { id } }))).toBe('done')
  },
  'job.resume': async (on) => {
    const id = await waitForReviewPause(on, (await startImport(on, 'I2', 'review')).id)
    await on.admin.job.resume({ params: { id }, body: {} })
    expect(await waitForEnd(() => on.admin.job.get({ params: { id } }))).toBe('done')
  },
  'job.cancel': async (on) => {
    const id = await waitForReviewPause(on, (await startImport(on, 'I3', 'review')).id)
    await on.admin.job.cancel({ params: { id } })
  },
  'job.mend': async (on) => {
    const file = new File(['code,name\nI4,\n'], 'I4.csv', { type: 'text/csv' })
    const body = { file, mode: 'insert', pauseAt: 'review' } as never
    const id = await waitForReviewPause(
      on,
      (await on.admin.job.import({ params: faculty, body })).id,
    )
    const cells = [{ row: 2, attrName: 'name', value: '院系 I4' }]
    const { wrong } = (await on.admin.job.mend({ params: { id }, body: { cells } })).review ?? {}
    expect(wrong).toBe(0)
  },
  'job.forget': 'own settings',
  'bulk.update': startBulkChange,
  'bulk.remove': 'a queue of its own',
  'bulk.apply': async (on) => {
    const id = await startBulkChange(on)
    await on.admin.bulk.apply({ params: { id }, body: { count: 1 } })
    expect(await waitForEnd(() => on.admin.bulk.get({ params: { id } }))).toBe('done')
  },
  'bulk.cancel': async (on) => on.admin.bulk.cancel({ params: { id: await startBulkChange(on) } }),
  'button.press': 'reads',
  'verify.revoke': async ({ admin, kysely }) => {
    const { number } = await kysely
      .selectFrom('sys.document')
      .select('number')
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow()
    return admin.verify.revoke({ body: { number, reason: '信息有误' } })
  },
  'entry.read': 'reads',
  // Before its sheet is submitted.
  'entry.add': async ({ admin }) => {
    const { records } = await admin.entityData.page({ params: grades, body: { pageSize: 1 } })
    const [grade] = records
    const students = await admin.entityData.page({
      params: { tag: 'EDU_STUDENT' },
      body: { pageSize: 1 },
    })
    const from = { class: students.records[0]?.['class'] } as never
    const by = { course: grade?.['course'], term: grade?.['term'] } as never
    return admin.entry.add({ params: grades, body: { by, from } })
  },
  'entry.submit': submittedSheet,
  'entry.unlock': async (on) => {
    const { by } = await submittedSheet(on)
    return on.admin.entry.unlock({ params: grades, body: { by, reason: '成绩有误' } })
  },
  'tree.children': 'reads',
  'tree.search': 'reads',
  'search.titles': 'reads',
  'search.find': 'reads',
  'tree.move': async ({ admin }) => {
    const { records } = await admin.tree.children({ params: { tag: 'SYS_ORG' }, body: {} })
    const { row } = records[0] ?? {}
    const under = await admin.tree.children({
      params: { tag: 'SYS_ORG' },
      body: { parent: row?.id ?? '' },
    })
    const child = under.records[0]?.row
    return admin.tree.move({
      params: { tag: 'SYS_ORG', id: child?.id ?? '' },
      body: { version: child?.version ?? 0, parent: '0' },
    })
  },
  'tree.order': async ({ admin }) => {
    const { records } = await admin.tree.children({ params: { tag: 'SYS_MENU' }, body: {} })
    const ids = records.map(({ row }) => row.id).toReversed()
    return admin.tree.order({ params: { tag: 'SYS_MENU' }, body: { ids } })
  },
  'messages.read': 'own settings',
  'messages.choose': 'own settings',
  'tenants.create': ({ admin }) =>
    admin.tenants.create({ body: { code: '10077', name: '第三学校' } }),
  'tenants.enable': ({ admin }) =>
    admin.tenants.enable({ params: { id: '10001' }, body: { enabled: true } }),
  'tenants.resetAdministrator': ({ admin }) =>
    admin.tenants.resetAdministrator({ params: { id: '10001' } }),
  'view.create': ({ admin }) => admin.view.create({ params: faculty, body: buildSharedView('甲') }),
  'view.update': async ({ admin }) => {
    const { id } = await admin.view.create({ params: faculty, body: buildSharedView('乙') })
    const body = { ...buildSharedView('丙'), version: 1 }
    return admin.view.update({ params: { ...faculty, id }, body })
  },
  'view.remove': async ({ admin }) => {
    const { id } = await admin.view.create({ params: faculty, body: buildSharedView('丁') })
    return admin.view.remove({ params: { ...faculty, id } })
  },
  'view.open': 'own settings',
  'view.keepLayout': 'own settings',
  'view.keepWidths': 'own settings',
}
function buildPrintBody({ reports, stuNo }: Scene) {
  return { stuNo, reportId: reports[0] ?? '' }
}

const writing = routes.filter(({ endpoint }) => endpoint.method !== 'GET').map(({ name }) => name)

it('has a row for every route that may write', () => {
  expect(Object.keys(calls).toSorted()).toEqual(writing.toSorted())
})

it.each(Object.entries(calls).filter(([, call]) => typeof call === 'function'))(
  '%s writes its audit line in its own transaction',
  async (_name, call) => {
    if (typeof call !== 'function') throw new Error('no call')
    await call(scene)
  },
)

it('would notice a write without a line', async () => {
  await expect(
    scene.kysely.updateTable('sys.param').set({ remarks: 'x' }).execute(),
  ).rejects.toThrow('no audit line in the transaction that changes param')
})
