// Views over tables of the product, as a database administrator makes them and a school adopts them: whatever the
// shape of the view, it shows no secret, no ciphertext, no personal data without its mask, no row outside of the rules
// of roles and of the school, and no field that a role hides (docs/rules/security.md#views).
import { maskPii } from '@jiaowu/api/pii'
import { ApiProblem } from '@jiaowu/api/problem'
import { idNumberOf, type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newStaff } from '../../support/staff.ts'
import { sendJson } from '../pii/send-json.ts'

const columns = `s.id, s.tenant_id, s.student_no, s.name, s.name_en, s.mobile, s.id_card, s.id_card_index, s.gender`

interface Shape {
  readonly name: string
  readonly sql: string
  /** Rows that a role sees which is narrowed to some students: the rows of these, or none. */
  readonly rows: 'own' | 'none'
  /** Columns that no field may show. */
  readonly refused: readonly string[]
  /** Without the school of its rows it can be no entity. */
  readonly isRefused?: boolean
  readonly kind?: 'materialized view'
}

const shapes: readonly Shape[] = [
  {
    name: 'plain',
    sql: `select ${columns} from biz.student s`,
    rows: 'own',
    refused: ['id_card_index'],
  },
  {
    name: 'barrier',
    sql: `select ${columns} from biz.student s where s.deleted_at is null`,
    rows: 'own',
    refused: ['id_card_index'],
  },
  {
    name: 'renamed',
    sql: `select s.id as code, s.tenant_id, s.student_no as number, s.name as label, s.name_en as latin,
      s.mobile as phone, s.id_card as papers, s.id_card_index as search from biz.student s`,
    rows: 'own',
    refused: ['search'],
  },
  {
    name: 'expression',
    sql: `select s.id, s.tenant_id, s.student_no, s.name || '!' as label, upper(s.name_en) as latin,
      right(s.mobile, 8) as phone, s.mobile like '138%' as is_138, lower(s.id_card) as papers,
      row_to_json(s)::text as whole from biz.student s`,
    rows: 'own',
    refused: ['phone', 'is_138', 'papers', 'whole'],
  },
  {
    name: 'joined',
    sql: `select ${columns}, m.name as major from biz.student s
      join biz.major m on m.id = s.major_id and m.tenant_id = s.tenant_id`,
    rows: 'own',
    refused: ['id_card_index'],
  },
  {
    name: 'left_joined',
    sql: `select m.tenant_id, m.name as major, s.id, s.student_no, s.name, s.name_en, s.mobile
      from biz.major m left join biz.student s on s.major_id = m.id and s.tenant_id = m.tenant_id`,
    rows: 'own',
    refused: [],
  },
  {
    name: 'united',
    sql: `select s.id, s.tenant_id, s.student_no, s.name, s.name_en, s.mobile from biz.student s where s.gender = '1'
      union all select s.id, s.tenant_id, s.student_no, s.name, s.name_en, s.mobile from biz.student s
      where s.gender <> '1'`,
    rows: 'own',
    refused: [],
  },
  {
    name: 'nested',
    sql: `select code, tenant_id, number, latin, phone, papers from {schema}.renamed where label is not null`,
    rows: 'own',
    // Without the index of the encrypted column it cannot be searched.
    refused: ['papers'],
  },
  {
    name: 'common',
    sql: `with chosen as (select s.* from biz.student s where s.deleted_at is null)
      select c.id, c.tenant_id, c.student_no, c.name, c.name_en, c.mobile, o.n
      from chosen c cross join lateral (select length(c.name) as n) o`,
    rows: 'own',
    refused: [],
  },
  {
    name: 'stored',
    sql: `select ${columns} from biz.student s`,
    kind: 'materialized view',
    rows: 'own',
    refused: ['id_card_index'],
  },
  {
    name: 'counted',
    sql: `select s.tenant_id, s.gender, count(*) as n, max(s.name_en) as latin, min(s.mobile) as phone
      from biz.student s group by s.tenant_id, s.gender`,
    rows: 'none',
    refused: ['phone'],
  },
  {
    name: 'windowed',
    sql: `select s.id, s.tenant_id, s.student_no, lag(s.name_en) over (order by s.id) as latin,
      rank() over (order by s.mobile) as place from biz.student s`,
    rows: 'none',
    isRefused: true,
    refused: ['place'],
  },
  {
    name: 'rolled_up',
    sql: `select s.id, s.tenant_id, max(s.name) as label from biz.student s
      group by grouping sets ((s.id, s.tenant_id), (s.tenant_id))`,
    rows: 'none',
    isRefused: true,
    refused: [],
  },
  {
    name: 'of_schools',
    sql: `select s.id, s.student_no, s.name, s.mobile from biz.student s`,
    rows: 'none',
    refused: [],
    isRefused: true,
  },
  {
    name: 'called',
    sql: `select * from {schema}.students_of(10000)`,
    rows: 'none',
    refused: [],
    isRefused: true,
  },
  {
    name: 'called_in_column',
    sql: `select m.id, m.tenant_id, m.name, {schema}.first_mobile(m.id) as phone,
      query_to_xml('select password_hash from sys.app_user', true, false, '')::text as xml from biz.major m`,
    rows: 'own',
    refused: ['phone', 'xml'],
  },
]
/** The same columns of accounts in some of the shapes. */
const accounts: readonly Shape[] = [
  {
    name: 'logins',
    sql: `select u.* from sys.app_user u`,
    rows: 'own',
    refused: ['password_hash'],
  },
  {
    name: 'logins_renamed',
    sql: `select u.id, u.tenant_id, u.account as label, u.password_hash as note, left(u.password_hash, 40) as part,
      u::text as whole, md5(u.password_hash || u.account) as digest from sys.app_user u`,
    rows: 'own',
    refused: ['note', 'part', 'whole', 'digest'],
  },
  {
    name: 'logins_looked_up',
    sql: `select u.id, u.tenant_id, (select max(v.password_hash) from sys.app_user v) as best from sys.app_user u`,
    rows: 'own',
    refused: [],
    isRefused: true,
  },
  {
    name: 'logins_nested',
    sql: `select id, tenant_id, account as label, coalesce(password_hash, '') as note, case when password_hash > '' then 1 end as has
      from {schema}.logins`,
    rows: 'own',
    refused: ['note', 'has'],
  },
  {
    name: 'logins_stored',
    sql: `select id, tenant_id, account as label, password_hash as note from sys.app_user`,
    kind: 'materialized view',
    rows: 'own',
    refused: ['note'],
  },
  {
    name: 'logins_united',
    sql: `select u.id, u.tenant_id, u.account as label from sys.app_user u
      union select u.id, u.tenant_id, u.password_hash from sys.app_user u`,
    rows: 'own',
    refused: ['label'],
  },
  {
    name: 'sessions',
    sql: `select s.id, s.tenant_id, s.access_hash as place, s.ip from sys.session s`,
    rows: 'own',
    refused: ['place'],
  },
]

type Client = Awaited<ReturnType<TestApp['signIn']>> & { readonly token: string }
interface Adopted extends Shape {
  readonly schema: string
  readonly tag: string
}
const schemas = ['biz', 'shop'] as const
const all: readonly Adopted[] = schemas.flatMap((schema) =>
  [...shapes, ...accounts].map((shape) => ({
    ...shape,
    schema,
    tag: `${schema}_${shape.name}`.toUpperCase(),
  })),
)
const adopted = all.filter(({ isRefused }) => isRefused !== true)
const ofStudents = adopted.filter(({ name }) => shapes.some((shape) => shape.name === name))

let app: TestApp
let admin: Client
/** Narrowed to some students by a row rule; a column of students is hidden from them; and one without either. */
let [rows, fields, whole] = [] as unknown as [Client, Client, Client]
const run = (text: string) => sql.raw(text).execute(app.services.database.kysely)
async function readTexts(query: string): Promise<readonly string[]> {
  const found = await sql.raw<{ text: string }>(query).execute(app.services.database.kysely)
  return found.rows.map(({ text }) => text)
}

async function createViews(): Promise<void> {
  await run(`update biz.student set student_no = 'F' || student_no where tenant_id <> 10000;
    create schema shop`)
  for (const schema of schemas) {
    await run(`create function ${schema}.students_of(bigint) returns table (id bigint, tenant_id bigint, name text)
      language sql stable as 'select id, tenant_id, name from biz.student where tenant_id = $1'`)
    await run(`create function ${schema}.first_mobile(bigint) returns text language plpgsql stable as
      'begin return (select min(mobile) from biz.student where major_id = $1); end'`)
    for (const { name, sql: query, kind = 'view' } of [...shapes, ...accounts])
      await run(
        `create ${kind} ${schema}.${name} ${name === 'barrier' ? 'with (security_barrier)' : ''}
         as ${query.replaceAll('{schema}', schema)}`,
      )
  }
}

async function staff(account: string, students: object): Promise<Client> {
  const codes = adopted.flatMap(({ tag }) => [`entity:${tag}:view`, `entity:${tag}:export`])
  const made = await newStaff(app, admin, account, {
    codes: [...codes, 'entity:EDU_STUDENT:view', 'entity:EDU_CLASS:view'],
    rules: [{ tag: 'EDU_STUDENT', scope: 'all', expression: null, overrides: {}, ...students }],
  })
  return Object.assign(app.client(made.token), { token: made.token }) as unknown as Client
}

const hidden = { isList: 0, isQuery: 0, isDetail: 0, isExport: 0, isAdd: 0, isEdit: 0 }

beforeAll(async () => {
  app = await testApp({ BUSINESS_SCHEMAS: 'biz,shop', RATE_LIMITS: '0' } as never)
  admin = await app.signIn('admin')
  await createViews()
  const { drafts } = await admin.design.draftAll({
    body: { tables: adopted.map(({ schema, name }) => `${schema}.${name}`) },
  })
  await admin.design.adopt({
    body: {
      definitions: drafts.map(({ definition, schema, name }) => ({
        ...definition,
        tag: `${schema}_${name}`.toUpperCase(),
        fields: definition.fields.map((field) => ({
          ...field,
          isList: 1,
          isDetail: 1,
          isExport: 1,
          isQuery: 1,
        })),
      })),
    },
  })
  rows = await staff('views-rows', { scope: 'expression', expression: "row.gender == '1'" })
  fields = await staff('views-fields', { overrides: { nameEn: hidden } })
  whole = await staff('views-whole', {})
})
afterAll(() => app.close())

/** Everything that a caller reads of an entity. */
async function surfaces(client: Client, tag: string): Promise<string> {
  const at = { params: { tag } }
  const texts: string[] = []
  const page = await client.entityData.page({ ...at, body: { pageSize: 1000 } })
  texts.push(JSON.stringify(page))
  for (const { id } of page.records.slice(0, 3))
    texts.push(JSON.stringify(await client.entityData.get({ params: { tag, id } })))
  const { fields: shown } = await client.entityData.config(at)
  for (const { attrName } of shown)
    texts.push(
      ...(await answers(client, [
        [`/entity/${tag}/data/page`, { queries: {}, group: { column: attrName } }],
        [
          `/entity/${tag}/data/page`,
          {
            queries: {},
            footer: [
              { column: attrName, fn: 'max' },
              { column: attrName, fn: 'count' },
            ],
          },
        ],
      ])),
    )
  texts.push(
    ...(await answers(client, [
      [`/entity/${tag}/data/export`, { queries: {}, format: 'csv', fileName: 'x' }],
      [`/entity/${tag}/data/export`, { queries: {}, format: 'ndjson', fileName: 'x' }],
    ])),
  )
  return texts.join('\n')
}

async function answers(
  client: Client,
  calls: readonly (readonly [path: string, body: unknown])[],
): Promise<string[]> {
  const texts: string[] = []
  for (const [path, body] of calls) {
    // The limit of calls is counted by the server's clock.
    app.advance(1000)
    texts.push(await (await sendJson(app, client.token, path, body)).text())
  }
  return texts
}

async function captureIssuePaths(attempt: Promise<unknown>): Promise<readonly string[]> {
  const error = await attempt.then(
    () => null,
    (caught: unknown) => caught,
  )
  if (!(error instanceof ApiProblem))
    throw new Error('it was not refused in words', { cause: error })
  return error.problem.issues.map(({ path, rule }) => `${path} ${rule}`)
}

/** Whole mobiles and ID numbers. */
async function personal(): Promise<readonly string[]> {
  const stored = await readTexts(
    "select id_card as text from biz.student where id_card <> '' and tenant_id = 10000",
  )
  const mobiles = await readTexts(`select mobile as text from biz.student where mobile <> ''
    union select mobile from sys.app_user where mobile <> ''`)
  return [...stored.map((each) => idNumberOf(app.services, each)), ...mobiles]
}

const secrets = () =>
  readTexts(`select password_hash as text from sys.app_user
    union all select access_hash from sys.session union all select id_card_index from biz.student`)

describe.each(adopted)('$tag', ({ schema, name, tag, refused }) => {
  it('has no field for what no field may show', async () => {
    const { definition, leftOut } = await admin.design.draft({
      params: { name: `${schema}.${name}` },
    })
    const shown = definition.fields.map(({ columnName }) => columnName)
    expect(shown.filter((column) => refused.includes(column ?? ''))).toEqual([])
    expect(leftOut.map(({ column }) => column)).toEqual(expect.arrayContaining([...refused]))
    expect(definition.fields.length).toBeGreaterThan(0)
    for (const columnName of refused) {
      const [first] = definition.fields
      const forced = {
        ...definition,
        tag: 'FORCED',
        fields: [
          ...definition.fields,
          { ...first, id: '-9', attrName: 'forced', columnName, isPk: 0 },
        ],
      }
      expect(
        await captureIssuePaths(admin.design.adopt({ body: { definitions: [forced as never] } })),
      ).toContain('definitions.FORCED.fields.forced.columnName entity.E118')
    }
  })

  it('shows no secret, no ciphertext and no whole personal data', async () => {
    const text = await surfaces(admin, tag)
    expect(text.length).toBeGreaterThan(100)
    expect(text).not.toContain('enc1:')
    for (const secret of await secrets()) expect(text).not.toContain(secret)
    for (const value of await personal()) expect(text).not.toContain(value)
  })

  it('shows the rows of the own school alone', async () => {
    const foreign = await readTexts(
      name.startsWith('logins') || name === 'sessions'
        ? `select id::text as text from sys.app_user where tenant_id <> 10000`
        : `select student_no as text from biz.student where tenant_id <> 10000`,
    )
    expect(foreign.length).toBeGreaterThan(0)
    const text = await surfaces(admin, tag)
    for (const each of foreign) expect(text).not.toContain(`"${each}"`)
  })
})

describe.each(ofStudents)('the rules of roles on the students of $tag', (view) => {
  const { tag } = view
  it('narrow the rows', async () => {
    const others = await readTexts(
      `select student_no as text from biz.student where tenant_id = 10000 and gender <> '1'`,
    )
    expect(others.length).toBeGreaterThan(1)
    const text = await surfaces(rows, tag)
    for (const each of others) expect(text).not.toContain(each)
    const page = { params: { tag }, body: { pageSize: 1000 } }
    const [seen, every] = [await rows.entityData.page(page), await whole.entityData.page(page)]
    expect(every.total).toBeGreaterThan(0)
    if (view.rows === 'none') expect(seen.total).toBe(0)
    else expect(seen.total).toBeGreaterThan(0)
  })

  it('hide the columns', async () => {
    const names = await readTexts(
      `select name_en as text from biz.student where tenant_id = 10000 and name_en <> ''`,
    )
    expect(names.length).toBeGreaterThan(1)
    const text = (await surfaces(fields, tag)).toUpperCase()
    for (const each of names) expect(text).not.toContain(each.toUpperCase())
  })
})

it('shows the same rows and columns to who has no rule', async () => {
  for (const { schema } of adopted.filter(({ name }) => name === 'plain')) {
    const text = await surfaces(whole, `${schema}_PLAIN`.toUpperCase())
    for (const each of await readTexts(
      `select student_no as text from biz.student where tenant_id = 10000 and deleted_at is null
       union all select name_en from biz.student where tenant_id = 10000 and name_en <> '' and deleted_at is null`,
    ))
      expect(text).toContain(each)
  }
})

it.each(['BIZ_PLAIN', 'SHOP_RENAMED', 'SHOP_STORED'])(
  'opens and masks encrypted values in %s, and finds them by whole values',
  async (tag) => {
    const { fields: shown } = await admin.entityData.config({ params: { tag } })
    const field = shown.find(({ pii }) => pii === 'idCard')?.attrName ?? ''
    const [stored = ''] = await readTexts(
      "select id_card as text from biz.student where tenant_id = 10000 and id_card <> '' and deleted_at is null",
    )
    const idNumber = idNumberOf(app.services, stored)
    const { records } = await admin.entityData.page({
      params: { tag },
      body: { queries: { [field]: idNumber } },
    })
    expect(records.map((row) => row[field])).toEqual([maskPii('idCard', idNumber)])
  },
)

it.each(all.filter(({ isRefused }) => isRefused))(
  'refuses $tag, whose rows cannot be kept apart',
  async ({ schema, name }) => {
    const table = `${schema}.${name}`
    const { drafts, refused } = await admin.design.draftAll({ body: { tables: [table] } })
    expect(drafts).toEqual([])
    expect(refused).toEqual([{ schema, name, reason: expect.stringMatching(/tenant_id|函数/) }])
    const { definition } = await admin.design.draft({ params: { name: `${schema}.plain` } })
    const body = {
      ...definition,
      tag: 'FORCED',
      tableName: name,
      fields: definition.fields.slice(0, 1),
    }
    expect(
      await captureIssuePaths(admin.design.adopt({ body: { definitions: [body as never] } })),
    ).toContain('definitions.FORCED.tableName entity.E119')
  },
)
