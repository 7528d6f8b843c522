// Rows that a custom SQL reads for the user who runs it: their rows, the columns of their roles,
// masks of personal data, and their school's rows only (docs/rules/security.md#designers).
import { ApiProblem } from '@jiaowu/api/problem'
import type { DictItem } from '@jiaowu/api/entity/values'
import { t } from '@jiaowu/api/texts/index'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newStaff } from '../../support/staff.ts'

type Client = Awaited<ReturnType<TestApp['signIn']>>
const at = { params: { tag: 'EDU_CLASS' } } as const
const student = 'EDU_STUDENT'
const mobile = '13912345678'
/** Statements of the fields `sql0`, `sql1`, …. */
const statements = {
  mobiles: 'select id, mobile as name from biz.student where mobile is not null',
  star: "select s.id, s.mobile || ' ' || s.gender as name from (select * from biz.student) s",
  search: 'select id, name from biz.student where mobile = :searchKey',
  joined: 'select a.id, b.name from biz.student a join biz.teacher b on a.mobile = b.mobile',
  names: 'select id, name_en as name from biz.student',
  sealed: 'select id, id_card as name from biz.student where id_card is not null',
  index: 'select id, id_card_index as name from biz.student',
  counted: 'select gender as id, count(*)::text as name from biz.student group by gender',
} as const
type Statement = keyof typeof statements
const ids = new Map<Statement, string>()
let app: TestApp
let admin: Client
/** The organisation of every reader; its child has one student. */
let org: string

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  const { records } = await admin.entityData.page({
    params: { tag: student },
    body: { queries: {}, pageSize: 1 },
  })
  const { id } = records[0] ?? { id: '' }
  const { version } = await admin.entityData.get({ params: { tag: student, id } })
  await admin.entityData.update({ params: { tag: student, id }, body: { version, mobile } })
  const at0 = { params: { tag: 'SYS_ORG' } } as const
  org = (await admin.entityData.create({ ...at0, body: { code: 'so1', name: '上级' } })).id
  const child = { code: 'so2', name: '下级', pid: [{ id: org, name: '' }] }
  const below = (await admin.entityData.create({ ...at0, body: child })).id
  await sql`update biz.student set org_id = ${below}::int8
    where tenant_id = 10000 and id = ${id}::int8`.execute(app.services.database.kysely)
  const entity = await admin.design.load(at)
  const saved = await admin.design.save({
    ...at,
    body: {
      ...entity,
      fields: [
        ...entity.fields,
        ...Object.entries(statements).map(([name, dictValue], index) => ({
          id: `-${index + 1}`,
          attrName: `sql${name}`,
          uiLabel: `查询${name}`,
          uiType: 'select' as const,
          isAdd: 1 as const,
          dictType: 2 as const,
          dictValue,
        })),
      ],
    },
  })
  for (const name of Object.keys(statements) as Statement[])
    ids.set(name, saved.fields.find(({ attrName }) => attrName === `sql${name}`)?.id ?? '')
})
afterAll(() => app.close())

async function reader(
  name: string,
  codes: readonly string[],
  rule: object | null = null,
): Promise<Client> {
  const { id, token } = await newStaff(app, admin, name, {
    codes: ['entity:EDU_CLASS:view', 'entity:EDU_CLASS:add', ...codes],
    rules: rule === null ? [] : [{ tag: student, overrides: {}, expression: null, ...rule }],
  })
  await app.services.database.kysely
    .updateTable('sys.app_user')
    .set({ org_id: org } as never)
    .where('tenant_id', '=', '10000')
    .where('id', '=', id)
    .execute()
  return app.client(token) as Client
}

async function choices(
  who: Pick<Client, 'entityData'>,
  statement: Statement,
  searchKey = '',
): Promise<readonly DictItem[]> {
  const items: DictItem[] = []
  for (let pageNum = 1; ; pageNum += 1) {
    const answer = await who.entityData.lookup({
      ...at,
      body: { fieldId: ids.get(statement) ?? '', searchKey, pageNum, pageSize: 100 },
    })
    const records = Array.isArray(answer) ? answer : (answer as { records: DictItem[] }).records
    items.push(...records)
    if (records.length < 100 || Array.isArray(answer)) return items
  }
}
function captureMessage(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'answered',
    (error: unknown) => {
      if (!(error instanceof ApiProblem)) throw error
      return error.message
    },
  )
}

describe('personal data in a custom SQL', () => {
  it('is masked for those without the right, through every path to the column', async () => {
    const without = await reader('without', [`entity:${student}:view`])
    for (const statement of ['mobiles', 'star'] as const) {
      const names = (await choices(without, statement)).map(({ name }) => name).join(' ')
      expect(names).toContain('139****5678')
      expect(names).not.toMatch(/1\d{10}/)
    }
    expect(await choices(without, 'search', mobile)).toEqual([])
  })
  it('is plain for those with the right', async () => {
    const withRight = await reader('withright', [`entity:${student}:view`, 'pii:reveal'])
    for (const who of [withRight, admin]) {
      expect((await choices(who, 'mobiles')).map(({ name }) => name)).toContain(mobile)
      expect(await captureMessage(choices(who, 'joined'))).toBe('answered')
    }
  })
  it('does not join rows by a mask', async () => {
    const without = await reader('joiner', [`entity:${student}:view`])
    expect(await captureMessage(choices(without, 'joined'))).toBe(
      t('zh-CN', 'sql.personalJoin', { name: 'mobile' }),
    )
  })
  it('is never a stored cipher text, nor its blind index', async () => {
    const names = (await choices(admin, 'sealed')).map(({ name }) => name)
    expect(new Set(names)).toEqual(new Set(['********']))
    expect(await captureMessage(choices(admin, 'index'))).toBe(t('zh-CN', 'sql.failed'))
  })
})

describe('a custom SQL', () => {
  const counts = async (who: Client) =>
    new Map((await choices(who, 'counted')).map(({ id, name }) => [id, Number(name)]))
  it.each([
    ['an expression', null, { scope: 'expression', expression: "row.gender == '1'" }],
    ['the rows of one organisation and those below', 1, { scope: 'org_tree' }],
    ['own rows', 0, { scope: 'own' }],
  ])('reads only the rows that the roles show: %s', async (name, expected, rule) => {
    const narrowed = await reader(`rows${name.length}`, [`entity:${student}:view`], rule)
    const listed = await narrowed.entityData.page({
      params: { tag: student },
      body: { queries: {}, pageSize: 1 },
    })
    const all = [...(await counts(narrowed)).values()].reduce((sum, n) => sum + n, 0)
    expect(all).toBe(expected ?? listed.total)
    expect(all).toBe(listed.total)
    expect(all).toBeLessThan([...(await counts(admin)).values()].reduce((sum, n) => sum + n, 0))
  })
  it('does not see a column that the roles hide', async () => {
    const hidden = { isList: 0, isQuery: 0, isDetail: 0, isExport: 0, isAdd: 0, isEdit: 0 }
    const narrowed = await reader('columns', [`entity:${student}:view`], {
      scope: 'all',
      overrides: { nameEn: hidden },
    })
    expect(await captureMessage(choices(narrowed, 'names'))).toBe(t('zh-CN', 'sql.failed'))
    expect(await captureMessage(choices(admin, 'names'))).toBe('answered')
  })
  it('keeps to the school of its reader', async () => {
    const total = async (who: Client) =>
      (await who.entityData.page({ params: { tag: student }, body: { queries: {}, pageSize: 1 } }))
        .total
    const other = await app.signIn('admin', '10001')
    const { rows } = await sql<{ n: number }>`
      select count(*)::int4 as n from biz.student where tenant_id = 10000::int8
        and deleted_at is null`.execute(app.services.database.kysely)
    expect([...(await counts(admin)).values()].reduce((sum, n) => sum + n, 0)).toBe(rows[0]?.n)
    expect(await total(other)).not.toBe(rows[0]?.n)
  })
})
