// Where a school approves mobiles that are not on file, a request waits for a clerk
// (docs/rules/security.md#p2, docs/rules/security.md#p3).
import type { Registered } from '@jiaowu/api/contract/student/student'
import { idNumberOf, type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { runHousekeeping } from '../../../apps/server/src/start/housekeeping.ts'
import { setSetting } from '../../support/settings.ts'
import { newStaff } from '../../support/staff.ts'
import {
  captchaEnv,
  lastCode,
  receiveCode,
  catchProblem,
  readOutbox,
  studentClient,
} from '../../support/student.ts'

type Staff = Awaited<ReturnType<TestApp['signIn']>>
const day = 24 * 3_600_000
const known = '13900020001'
const unknownId = '110101199001011237'
const waiting: Registered = { waiting: true, days: 14 }
let app: TestApp
let admin: Staff
beforeAll(async () => {
  app = await testApp({ ...captchaEnv, REGISTER_MOBILE: 'on-file' })
  admin = await app.signIn('admin')
  await setSetting(admin, 'REGISTER_MOBILE', 'approval')
})
afterAll(() => app.close())

let mobiles = 0
const newMobile = () => `1361112${String((mobiles += 1)).padStart(4, '0')}`
const openRequestsDatabase = () => app.services.database.kysely
const requests = (student: string) =>
  openRequestsDatabase()
    .selectFrom('biz.registration')
    .selectAll()
    .where('tenant_id', '=', '10000')
    .where('student_id', '=', student)
    .orderBy('id')
    .execute()
const sentTo = async (mobile: string, template: string) =>
  (await readOutbox(app.services.settings.dataDir)).filter(
    (each) => each.mobile === mobile && each.template === template,
  )

interface Student {
  readonly id: string
  readonly idNumber: string
  readonly major: string
}
/** A student without an account, with this mobile in the register and no request. */
async function studentWith(mobile: string | null): Promise<Student> {
  const { rows } = await sql<{ id: string; id_card: string; major: string }>`
    update biz.student set mobile = ${mobile}::text
    from biz.major m
    where biz.student.tenant_id = 10000 and m.tenant_id = 10000 and m.id = biz.student.major_id
      and biz.student.id = (select id from biz.student s where s.tenant_id = 10000
        and account_mobile is null and deleted_at is null and not exists (
          select 1 from biz.registration r where r.tenant_id = 10000 and r.student_id = s.id)
        order by id desc limit 1)
    returning biz.student.id::text as id, id_card, m.name as major`.execute(openRequestsDatabase())
  const [row] = rows
  if (row === undefined) throw new Error('no student')
  return { id: row.id, major: row.major, idNumber: idNumberOf(app.services, row.id_card) }
}
async function register(
  mobile: string,
  { idNumber, major }: Pick<Student, 'idNumber' | 'major'>,
  code?: string,
) {
  app.advance(61 * 60_000)
  const sent = await receiveCode(app, mobile, '2')
  const verCode = code ?? sent
  return app.client('').student.register({
    body: { sfzh: idNumber, zymc: major, mobile, verCode, clientId: '0000' },
  })
}
beforeEach(async () => {
  app.advance(day)
  admin = await app.signIn('admin')
})

describe('a mobile that is not on file', () => {
  it('makes a request, which a clerk approves, and registers then', async () => {
    const student = await studentWith(known)
    const mobile = newMobile()
    const before = (await sentTo(known, 'REGISTER_NOTICE')).length
    expect(await register(mobile, student)).toEqual(waiting)
    const [request] = await requests(student.id)
    expect(request).toMatchObject({ state: 'PENDING', mobile, version: 1 })
    await vi.waitFor(
      async () => {
        const [notice] = (await sentTo(known, 'REGISTER_NOTICE')).slice(before)
        expect(notice?.text).toContain(`${mobile.slice(0, 3)}****${mobile.slice(-4)}`)
      },
      { timeout: 45_000 },
    )
    // Nothing is bound, and another try makes no second request.
    expect(await register(mobile, student)).toEqual(waiting)
    expect(await requests(student.id)).toHaveLength(1)

    const registrar = await app.signIn('registrar')
    const { records } = await registrar.entityData.page({
      params: { tag: 'RPT_REGISTRATION' },
      body: { queries: { state: 'PENDING' } },
    })
    const row = records.find(({ id }) => id === request?.id)
    expect(row?.['mobile']).toBe(`${mobile.slice(0, 3)}****${mobile.slice(-4)}`)
    const params = { id: request?.id ?? '' }
    expect(
      await registrar.registration.decide({
        params,
        body: { version: Number(row?.version), agree: true },
      }),
    ).toEqual({ id: params.id, state: 'APPROVED', version: 2 })
    expect((await sentTo(mobile, 'REGISTER_APPROVED'))[0]?.text).toContain('14 天')

    expect(await register(mobile, student)).toBeNull()
    expect((await requests(student.id)).map(({ state }) => state)).toEqual(['DONE'])
    app.advance(2 * 60_000)
    const me = await studentClient(app, mobile)
    expect((await me.student.detail({})).fldXh).not.toBe('')
    const audited = await openRequestsDatabase()
      .selectFrom('sys.audit_log')
      .select(['action', 'object_id', 'user_id'])
      .where('tenant_id', '=', '10000')
      .where('action', 'in', ['student.requestRegistration', 'registration.approve'])
      .orderBy('at')
      .execute()
    expect(audited).toMatchObject([
      { action: 'student.requestRegistration', user_id: student.id },
      { action: 'registration.approve', object_id: params.id },
    ])
  })

  it('is answered alike whether there is such a student or not, and uses the code up', async () => {
    const student = await studentWith(known)
    const strangers = { idNumber: unknownId, major: student.major }
    const [real, fake] = [newMobile(), newMobile()]
    expect(await register(real, student)).toEqual(await register(fake, strangers))
    const [wrong, wrongToo] = [
      await catchProblem(register(newMobile(), student, '000000')),
      await catchProblem(register(newMobile(), strangers, '000000')),
    ]
    expect([wrong.code, wrong.message]).toEqual([wrongToo.code, wrongToo.message])
    expect(wrong.message).toBe('注册信息与学籍不符，或验证码不正确')
    // The same code again.
    for (const [mobile, who] of [
      [real, student],
      [fake, strangers],
    ] as const) {
      const verCode = await lastCode(app.services.settings.dataDir, mobile)
      const again = app.client('').student.register({
        body: { sfzh: who.idNumber, zymc: who.major, mobile, verCode, clientId: '0000' },
      })
      expect((await catchProblem(again)).message).toBe(wrong.message)
    }
    // One that has registered is no different.
    await sql`update biz.student set account_mobile = '13999999999' where tenant_id = 10000
      and id = ${student.id}::int8`.execute(openRequestsDatabase())
    expect(await register(newMobile(), student)).toEqual(waiting)
    expect(await requests(student.id)).toHaveLength(1)
  })

  it('waits at most three times for a student, and not again after a refusal', async () => {
    const student = await studentWith(known)
    const asked = [newMobile(), newMobile(), newMobile(), newMobile()]
    for (const mobile of asked) expect(await register(mobile, student)).toEqual(waiting)
    const rows = await requests(student.id)
    expect(rows.map(({ mobile }) => mobile)).toEqual(asked.slice(0, 3))
    const [first] = rows
    admin = await app.signIn('admin')
    const refused = { params: { id: first?.id ?? '' }, body: { version: 1, agree: false } }
    expect(await admin.registration.decide(refused)).toMatchObject({ state: 'REFUSED' })
    expect(await register(asked[0] ?? '', student)).toEqual(waiting)
    expect((await requests(student.id)).map(({ state }) => state)).toEqual([
      'REFUSED',
      'PENDING',
      'PENDING',
    ])
    expect(await sentTo(asked[0] ?? '', 'REGISTER_APPROVED')).toEqual([])
  })

  it('registers at once where it is the one on file', async () => {
    const mobile = newMobile()
    const student = await studentWith(mobile)
    expect(await register(mobile, student)).toBeNull()
    expect(await requests(student.id)).toEqual([])
  })
})

describe('a decision', () => {
  const pending = async () => {
    const student = await studentWith(known)
    await register(newMobile(), student)
    const [request] = await requests(student.id)
    admin = await app.signIn('admin')
    return { student, id: request?.id ?? '' }
  }
  const decide = (who: Pick<Staff, 'registration'>, id: string, version = 1, agree = true) =>
    who.registration.decide({ params: { id }, body: { version, agree } })

  it('is made once, on what the clerk has seen', async () => {
    const { id } = await pending()
    expect(await catchProblem(decide(admin, id, 7))).toMatchObject({
      code: 40900,
      data: { id, state: 'PENDING', version: 1 },
    })
    await decide(admin, id)
    expect((await catchProblem(decide(admin, id))).code).toBe(40900)
    expect((await catchProblem(decide(admin, id, 2))).message).toBe('该申请已审核或已结束')
    expect((await catchProblem(decide(admin, 'x'))).code).toBe(404)
  })

  it('is refused for a student whom or whose mobile the clerk may not change', async () => {
    const { id } = await pending()
    const staffWith = async (account: string, rule: object) => {
      const { token } = await newStaff(app, admin, account, {
        codes: ['entity:EDU_STUDENT:view', 'entity:EDU_STUDENT:update'],
        rules: [{ tag: 'EDU_STUDENT', scope: 'all', expression: null, overrides: {}, ...rule }],
      })
      return app.client(token)
    }
    const elsewhere = await staffWith('elsewhere', {
      scope: 'expression',
      expression: "row.studentNo == 'none'",
    })
    expect((await catchProblem(decide(elsewhere, id))).code).toBe(404)
    const withoutMobile = await staffWith('withoutMobile', { overrides: { mobile: { isEdit: 2 } } })
    expect((await catchProblem(decide(withoutMobile, id))).code).toBe(403)
    const viewer = await app.signIn('viewer')
    expect((await catchProblem(decide(viewer, id))).code).toBe(403)
    expect((await requests((await pending()).student.id))[0]?.state).toBe('PENDING')
    const clerk = await app.signIn('clerk')
    expect((await decide(clerk, id)).state).toBe('APPROVED')
  })

  it('comes too late after the days of the school, and so does the registration after it', async () => {
    await setSetting(admin, 'REGISTER_REQUEST_DAYS', '3')
    const late = await pending()
    app.advance(3 * day + 60_000)
    admin = await app.signIn('admin')
    expect((await catchProblem(decide(admin, late.id))).message).toBe('该申请已过期')
    const { student, id } = await pending()
    await decide(admin, id)
    app.advance(3 * day + 60_000)
    const [{ mobile } = { mobile: '' }] = await requests(student.id)
    // A new request takes the place of the old one.
    expect(await register(mobile, student)).toEqual({ waiting: true, days: 3 })
    expect((await requests(student.id)).map(({ state }) => state)).toEqual(['EXPIRED', 'PENDING'])
    app.advance(4 * day)
    await runHousekeeping(app.services)
    expect((await requests(student.id)).map(({ state }) => state)).toEqual(['EXPIRED', 'EXPIRED'])
    app.advance(181 * day)
    await runHousekeeping(app.services)
    expect(await requests(student.id)).toEqual([])
    admin = await app.signIn('admin')
    await setSetting(admin, 'REGISTER_REQUEST_DAYS', '')
  })

  it('is no way to write the list by an entity', async () => {
    const { id } = await pending()
    const params = { tag: 'RPT_REGISTRATION', id }
    const write = admin.entityData.update({ params, body: { version: 1, state: 'APPROVED' } })
    expect((await catchProblem(write)).code).toBe(403)
  })
})

describe('in a school that takes every mobile', () => {
  it('the known mobile is told that another one was bound', async () => {
    await setSetting(admin, 'REGISTER_MOBILE', 'any')
    // No other test uses this mobile: notices of earlier tests may still be on their way.
    const told = newMobile()
    expect(await register(newMobile(), await studentWith(told))).toBeNull()
    await vi.waitFor(async () => expect(await sentTo(told, 'REGISTER_NOTICE')).toHaveLength(1), {
      timeout: 45_000,
    })
    // And not where it is the same, or none is known.
    const same = newMobile()
    expect(await register(same, await studentWith(same))).toBeNull()
    expect(await register(newMobile(), await studentWith(null))).toBeNull()
    expect(await sentTo(same, 'REGISTER_NOTICE')).toEqual([])
    expect(await sentTo(told, 'REGISTER_NOTICE')).toHaveLength(1)
  })

  it('others keep what their server says', async () => {
    admin = await app.signIn('admin')
    await setSetting(admin, 'REGISTER_MOBILE', '')
    expect((await catchProblem(register(newMobile(), await studentWith(known)))).message).toMatch(
      /请先到教务处更新/,
    )
  })
})
