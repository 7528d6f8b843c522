// Adopted views in custom SQL, in lookups and in the rights that people hand on; and views that get another query
// after they were adopted (docs/rules/security.md#views).
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newStaff } from '../../support/staff.ts'
import { sendJson } from '../pii/send-json.ts'

type Client = Awaited<ReturnType<TestApp['signIn']>>
interface Caller {
  readonly token: string
  readonly client: ReturnType<TestApp['client']>
}
let app: TestApp
let admin: Client
let [rows, fields, whole] = [] as unknown as [Caller, Caller, Caller]
const run = (text: string) => sql.raw(text).execute(app.services.database.kysely)
const at = { params: { tag: 'SHOP_PUPIL' } }
const view = (more: string) => `create or replace view shop.pupil as
  select s.id, s.tenant_id, s.student_no, s.name_en as latin, s.mobile as phone, ${more} from biz.student s`
const plain = view('s.name::text as label')

async function texts(query: string): Promise<readonly string[]> {
  const found = await sql.raw<{ text: string }>(query).execute(app.services.database.kysely)
  return found.rows.map(({ text }) => text)
}
const numbers = (where: string) =>
  texts(
    `select student_no as text from biz.student where tenant_id = 10000 and deleted_at is null and ${where}`,
  )

async function staff(
  account: string,
  rule: object,
  codes: readonly string[] = [],
): Promise<Caller> {
  const { token } = await newStaff(app, admin, account, {
    codes: ['entity:SHOP_PUPIL:view', 'entity:EDU_STUDENT:view', 'entity:EDU_CLASS:view', ...codes],
    rules: [{ tag: 'EDU_STUDENT', scope: 'all', expression: null, overrides: {}, ...rule }],
  })
  return { token, client: app.client(token) }
}
async function adopt(table: string): Promise<void> {
  const { definition } = await admin.design.draft({ params: { name: table } })
  const tag = table.replace('.', '_').toUpperCase()
  await admin.design.adopt({ body: { definitions: [{ ...definition, tag }] } })
}
const narrowed = { scope: 'expression', expression: "row.gender == '1'" }
const hidden = { isList: 0, isQuery: 0, isDetail: 0, isExport: 0, isAdd: 0, isEdit: 0 }

beforeAll(async () => {
  app = await testApp({ BUSINESS_SCHEMAS: 'biz,shop' })
  admin = await app.signIn('admin')
  await run(`create schema shop; ${plain};
    create view shop.loose as select id, tenant_id, mobile as phone from biz.student;
    create view biz.loose as select id, tenant_id, mobile as phone from biz.student;
    create view shop.log as select tenant_id, action, object_id from sys.audit_log`)
  await adopt('shop.pupil')
  await adopt('shop.log')
  rows = await staff('used-rows', narrowed, [
    'entity:SYS_ROLE:view',
    'entity:SYS_ROLE:update',
    'entity:SHOP_LOG:view',
  ])
  fields = await staff('used-fields', { overrides: { nameEn: hidden } })
  whole = await staff('used-whole', {})
})
afterAll(() => app.close())

async function captureViewProblem(attempt: Promise<unknown>): Promise<ApiProblem['problem']> {
  const error = await attempt.then(
    () => null,
    (caught: unknown) => caught,
  )
  if (!(error instanceof ApiProblem))
    throw new Error('it was not refused in words', { cause: error })
  return error.problem
}

/** The id of a field of classes that offers the rows of a source. */
async function findFieldId(source: { dictType: number; dictValue: string }): Promise<string> {
  const saved = await admin.design.load({ params: { tag: 'EDU_CLASS' } })
  const field = {
    id: '-1',
    attrName: 'extra',
    uiLabel: '附加',
    uiType: 'select' as const,
    isDetail: 1 as const,
    ...source,
  }
  const after = await admin.design.save({
    params: { tag: 'EDU_CLASS' },
    body: {
      ...saved,
      fields: [...saved.fields.filter(({ attrName }) => attrName !== 'extra'), field],
    } as never,
  })
  return after.fields.find(({ attrName }) => attrName === 'extra')?.id ?? ''
}
async function listOffered(to: Pick<Caller, 'token'>, fieldId: string): Promise<string> {
  app.advance(11_000)
  const body = { fieldId, type: '1', pageSize: 1000 }
  return await (await sendJson(app, to.token, '/entity/EDU_CLASS/data/dicts/page', body)).text()
}

describe('custom SQL over a view', () => {
  it('obeys the rules of the tables behind it', async () => {
    const fieldId = await findFieldId({
      dictType: 2,
      dictValue:
        "select student_no as id, coalesce(latin, '-') || ' ' || coalesce(phone, '-') as name from shop.pupil",
    })
    const [own, others] = [await numbers("gender = '1'"), await numbers("gender <> '1'")]
    const [seen, every, without] = [
      await listOffered(rows, fieldId),
      await listOffered(whole, fieldId),
      await listOffered(fields, fieldId),
    ]
    for (const each of own) expect(seen).toContain(each)
    for (const each of others) expect(seen).not.toContain(each)
    for (const each of others) expect(every).toContain(each)
    for (const each of await texts("select mobile as text from biz.student where mobile <> ''"))
      expect(every).not.toContain(each)
    for (const each of await texts("select name_en as text from biz.student where name_en <> ''"))
      expect(without).not.toContain(each)
  })

  it.each(['shop.loose', 'biz.loose'])(
    'does not read %s, on which no entity stands',
    async (table) => {
      const fieldId = await findFieldId({
        dictType: 2,
        dictValue: `select id, phone as name from ${table}`,
      })
      for (const caller of [admin, whole])
        expect(JSON.parse(await listOffered(caller, fieldId))).toMatchObject({
          code: 422,
          msg: expect.stringContaining(table),
        })
    },
  )
})

it('offers the rows that a role may see in lookups', async () => {
  const fieldId = await findFieldId({ dictType: 1, dictValue: 'SHOP_PUPIL.studentNo' })
  const others = await numbers("gender <> '1'")
  const [seen, every] = [await listOffered(rows, fieldId), await listOffered(whole, fieldId)]
  for (const each of await numbers("gender = '1'")) expect(seen).toContain(each)
  for (const each of others) expect(seen).not.toContain(each)
  for (const each of others) expect(every).toContain(each)
})

it('asks for the right to read the audit log, also through a view', async () => {
  expect(
    (await admin.entityData.page({ params: { tag: 'SHOP_LOG' }, body: {} })).total,
  ).toBeGreaterThan(0)
  expect(
    (
      await captureViewProblem(
        rows.client.entityData.page({ params: { tag: 'SHOP_LOG' }, body: {} }),
      )
    ).code,
  ).toBe(403)
})

it('lets nobody hand on a view without the rules that narrow it for them', async () => {
  const role = await admin.entityData.create({
    params: { tag: 'SYS_ROLE' },
    body: { code: 'T_HANDED', name: 'handed' },
  })
  const grant = async (rules: readonly object[]) => {
    const { version } = await rows.client.role.permissions({ params: { id: role.id } })
    return await rows.client.role.savePermissions({
      params: { id: role.id },
      body: { version, codes: ['entity:SHOP_PUPIL:view'], rules: rules as never },
    })
  }
  expect((await captureViewProblem(grant([]))).code).toBe(403)
  const rule = { tag: 'EDU_STUDENT', overrides: {}, ...narrowed }
  expect((await grant([rule])).codes).toEqual(['entity:SHOP_PUPIL:view'])
})

describe('a view that gets another query', () => {
  const labels = async () =>
    (await admin.entityData.config(at)).fields.map(({ attrName }) => attrName)

  it('loses the fields that would show what no field may show, within a second', async () => {
    const before = await labels()
    expect(before).toContain('label')
    for (const more of [
      '(select max(u.password_hash) from sys.app_user u where u.tenant_id = s.tenant_id)::text as label',
      's.id_card_index::text as label',
      's.id_card::text as label',
      'right(s.mobile, 8)::text as label',
    ]) {
      await run(view(more))
      await new Promise((resolve) => {
        setTimeout(resolve, 1100)
      })
      const now = await admin.entityData.config(at).then(
        ({ fields: shown }) => shown.map(({ attrName }) => attrName),
        () => [],
      )
      expect(now, more).not.toContain('label')
    }
    await run(plain)
    app.services.registry.invalidate()
    expect(await labels()).toEqual(before)
  })

  it('masks what becomes personal data, and hides what a role does not see', async () => {
    await run(view('s.mobile::text as label'))
    app.services.registry.invalidate()
    const text = JSON.stringify(await admin.entityData.page({ ...at, body: { pageSize: 1000 } }))
    const mobiles = await texts("select mobile as text from biz.student where mobile <> ''")
    expect(mobiles.length).toBeGreaterThan(0)
    for (const each of mobiles) expect(text).not.toContain(each)
    await run(view('s.name_en::text as label'))
    app.services.registry.invalidate()
    const shown = (await fields.client.entityData.config(at)).fields.map(({ attrName }) => attrName)
    expect(shown).not.toContain('label')
    expect(shown).not.toContain('latin')
    await run(plain)
    app.services.registry.invalidate()
  })

  it('is no entity any more when its rows cannot be kept apart by school', async () => {
    await run(`create or replace view shop.pupil as
      select s.id, 10000::int8 as tenant_id, s.student_no, s.name_en as latin, s.mobile as phone,
        s.name::text as label from biz.student s`)
    app.services.registry.invalidate()
    expect((await captureViewProblem(admin.entityData.page({ ...at, body: {} }))).code).toBe(404)
    const { issues } = await captureViewProblem(
      admin.design.adopt({
        body: { definitions: [{ ...(await readStoredDefinition()), tag: 'AGAIN' } as never] },
      }),
    )
    expect(issues.map(({ rule }) => rule)).toContain('entity.E119')
    await run(plain)
    app.services.registry.invalidate()
    expect((await admin.entityData.page({ ...at, body: {} })).total).toBeGreaterThan(0)
  })
})

async function readStoredDefinition(): Promise<Record<string, unknown>> {
  const [text = '{}'] = await texts(
    "select definition::text as text from sys.entity where tag = 'SHOP_PUPIL' and tenant_id = 10000",
  )
  return JSON.parse(text) as Record<string, unknown>
}
