// With REGISTER_MOBILE=on-file, knowing what staff read about a student does not make one the student
// (docs/rules/security.md#p2).
import { idNumberOf, type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captchaEnv, receiveCode, catchProblem, studentClient } from '../../support/student.ts'

const minute = 60_000
let app: TestApp
beforeAll(async () => {
  app = await testApp({ ...captchaEnv, REGISTER_MOBILE: 'on-file' })
})
afterAll(() => app.close())

/** A student without an account, with this mobile in the register. */
async function studentWith(mobile: string | null) {
  const { rows } = await sql<{ id: string; id_card: string; major: string }>`
    update biz.student set mobile = ${mobile}::text
    from biz.major m
    where biz.student.id = (select id from biz.student where tenant_id = 10000
      and account_mobile is null and deleted_at is null order by id desc limit 1)
      and m.id = biz.student.major_id
    returning biz.student.id::text as id, id_card, m.name as major`.execute(
    app.services.database.kysely,
  )
  const [row] = rows
  if (row === undefined) throw new Error('no student')
  return { ...row, idNumber: idNumberOf(app.services, row.id_card) }
}
async function register(mobile: string, idNumber: string, major: string) {
  app.advance(25 * 60 * minute)
  const verCode = await receiveCode(app, mobile, '2')
  return app.client('').student.register({
    body: { sfzh: idNumber, zymc: major, mobile, verCode, clientId: '0000' },
  })
}
const formatRefusal = async (attempt: Promise<unknown>) => {
  const { code, message } = await catchProblem(attempt)
  return `${code} ${String(message)}`
}

describe('registration', () => {
  it('is refused with another mobile than that of the register, in the words for every failure', async () => {
    const { id, idNumber, major } = await studentWith('13900010001')
    const other = await formatRefusal(register('13611119001', idNumber, major))
    expect(other).toMatch(/^400 .*请先到教务处更新/)
    expect(await formatRefusal(register('13611119001', '110101199001011237', major))).toBe(other)
    expect(await formatRefusal(register('13900010001', idNumber, '不存在的专业'))).toBe(other)
    const { rows } = await sql<{ account_mobile: string | null }>`
      select account_mobile from biz.student where id = ${id}::int8`.execute(
      app.services.database.kysely,
    )
    expect(rows).toEqual([{ account_mobile: null }])
  })

  it('is refused where the register holds no mobile, until a clerk has entered it', async () => {
    const { id, idNumber, major } = await studentWith(null)
    expect(await formatRefusal(register('13611119002', idNumber, major))).toMatch(/^400/)
    const registrar = await app.signIn('registrar')
    const params = { tag: 'EDU_STUDENT', id }
    const { version } = await registrar.entityData.get({ params })
    await registrar.entityData.update({ params, body: { mobile: '13611119002', version } })
    expect(await register('13611119002', idNumber, major)).toBeNull()
    const reader = await app.signIn('registrar')
    const { entries } = await reader.history.of({ params })
    expect(JSON.stringify(entries)).toContain('mobile')
  })

  it.each(['13900010003', '+86 139-0001-0003', '0086 13900010003'])(
    'binds the mobile of the register, written as %s',
    async (written) => {
      const { id, idNumber, major } = await studentWith(written)
      expect(await register('13900010003', idNumber, major)).toBeNull()
      app.advance(2 * minute)
      const me = await studentClient(app, '13900010003')
      expect((await me.student.detail({})).fldXh).not.toBe('')
      await sql`update biz.student set account_mobile = null where id = ${id}::int8`.execute(
        app.services.database.kysely,
      )
    },
  )
})
