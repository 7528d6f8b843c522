// Saves a definition for every source of choices, default, link and serial number of
// docs/spec/2-student-service-and-designer.md §3, checks its form and list, and writes a row with
// it. An enumeration value without a case does not compile.
import {
  buttonPositions,
  defaultConstants,
  defaultTypes,
  dictTypes,
  linkTypes,
  type OpenType,
  openTypes,
  type QueryOperator,
  queryOperators,
  serialTypes,
  uiWidths,
} from '@jiaowu/api/entity/enums'
import type { Field } from '@jiaowu/api/entity/config'
import type { FieldDraft, SerialSegment } from '@jiaowu/api/entity/definition/definition'
import type { Row } from '@jiaowu/api/entity/values'
import type { SavedEntity } from '@jiaowu/api/contract/design'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let entity: SavedEntity
const tag = 'LIB_KINDS'
const at = { params: { tag } } as const
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  await sql
    .raw(
      `create table biz.kinds (
        id bigint primary key, tenant_id bigint not null, name varchar(64), amount numeric(10,2),
        serial varchar(40), big bigint, kind varchar(40), class_id bigint, day date, many text,
        author varchar(40), org varchar(40), moment timestamp,
        version integer not null default 1, deleted_at timestamptz
      )`,
    )
    .execute(app.services.database.kysely)
  entity = await admin.design.create({
    body: {
      ...(await admin.design.draft({ params: { name: 'kinds' }, query: { tag } })).definition,
    },
  })
  await admin.entityData.create({
    params: { tag: 'SYS_PARAM' },
    body: { code: 'kinds.default', name: '缺省', value: '常量' },
  })
})
afterAll(() => app.close())

/** Saves the entity with changes to one field, and returns that field as a form gets it. */
async function withField(
  name: string,
  more: Partial<FieldDraft>,
  rest: Partial<SavedEntity> = {},
): Promise<Field> {
  entity = await admin.design.save({
    ...at,
    body: {
      ...entity,
      ...rest,
      fields: entity.fields.map((field) =>
        field.attrName === name ? { ...field, isList: 1, isQuery: 1, ...more } : field,
      ),
    },
  })
  expect(entity.findings.filter(({ severity }) => severity === 'error')).toEqual([])
  const found = (await admin.entityData.config(at)).fields.find(({ attrName }) => attrName === name)
  if (found === undefined) throw new Error(`no field ${name}`)
  return found
}
function createKindRow(body: Row | Record<string, unknown> = {}) {
  return admin.entityData.create({ ...at, body: { name: '一', ...body } })
}
async function findListedRow(id: string) {
  return (
    await admin.entityData.page({ ...at, body: { pageSize: 1000, queries: {} } })
  ).records.find((row) => row.id === id)
}
async function lookup(field: Field) {
  const found = await admin.entityData.lookup({
    ...at,
    body: { fieldId: field.id, pageSize: 1000 },
  })
  return 'records' in found ? found.records : found
}

type Source = {
  readonly more: Partial<FieldDraft>
  readonly name: 'kind' | 'classId'
  /** The first choice. */
  readonly first: () => Promise<{
    id: string
    name: string
  }>
}
const sources: { readonly [K in keyof typeof dictTypes]: Source | null } = {
  none: null, // a text field, without choices
  dictionary: {
    name: 'kind',
    more: {
      uiType: 'select',
      queryType: 'equal',
      dictType: dictTypes.dictionary,
      dictValue: 'gender',
    },
    first: async () => {
      const [item] = (await admin.dictionary.codes({ query: { codes: 'gender' } }))['gender'] ?? []
      return { id: item?.id ?? '', name: item?.name ?? '' }
    },
  },
  entity: {
    name: 'classId',
    more: {
      uiType: 'select',
      queryType: 'equal',
      dictType: dictTypes.entity,
      dictValue: 'EDU_CLASS.name',
    },
    first: async () => {
      const [row] = (
        await admin.entityData.page({
          params: { tag: 'EDU_CLASS' },
          body: { pageSize: 1, sorts: [{ column: 'name', asc: true }] },
        })
      ).records
      return { id: row?.id ?? '', name: String(row?.['name']) }
    },
  },
  sql: {
    name: 'classId',
    more: {
      uiType: 'select',
      queryType: 'equal',
      dictType: dictTypes.sql,
      dictValue: 'select id, name from biz.faculty order by id',
    },
    first: async () => {
      const [row] = (
        await admin.entityData.page({
          params: { tag: 'EDU_FACULTY' },
          body: { pageSize: 1, sorts: [{ column: 'id', asc: true }] },
        })
      ).records
      return { id: row?.id ?? '', name: String(row?.['name']) }
    },
  },
}
describe('sources of choices', () => {
  it.each(Object.entries(sources))('%s: offered, written, listed, found', async (kind, source) => {
    if (source === null) {
      const field = await withField('kind', {
        uiType: 'input',
        dictType: dictTypes.none,
        dictValue: null,
      })
      expect([field.dictType, field.dictValue]).toEqual([-1, null])
      expect((await findListedRow((await createKindRow({ kind: '随意' })).id))?.['kind']).toBe(
        '随意',
      )
      return
    }
    const field = await withField(source.name, source.more)
    expect([field.dictType, field.dictValue]).toEqual([
      dictTypes[kind as keyof typeof dictTypes],
      kind === 'sql' ? null : source.more.dictValue,
    ])
    const first = await source.first()
    const offered = kind === 'dictionary' ? (field.dictData ?? []) : await lookup(field)
    expect(offered.map(({ id, name }) => ({ id, name }))).toContainEqual(first)
    const { id } = await createKindRow({ [source.name]: first.id })
    expect((await findListedRow(id))?.[source.name]).toEqual([first])
    expect(
      (
        await admin.entityData.page({ ...at, body: { queries: { [source.name]: first.id } } })
      ).records.map((row) => row.id),
    ).toContain(id)
    expect(
      await createKindRow({ [source.name]: 'no such choice' }).then(
        () => 'taken',
        (error: { problem: { code: number } }) => error.problem.code,
      ),
    ).toBe(42200)
  })
})

interface Default {
  readonly name: string
  readonly more: Partial<FieldDraft>
  /** The default in the configuration of the form. */
  readonly form: () => unknown
  /** The value in a row created without it. */
  readonly row: unknown
}
const [user, org, time] = defaultConstants
const defaults: { readonly [K in keyof typeof defaultTypes]: readonly Default[] } = {
  none: [
    {
      name: 'name',
      more: { uiDefaultType: -1, defaultValue: null },
      form: () => [-1, null],
      row: null,
    },
  ],
  text: [
    {
      name: 'name',
      more: { uiDefaultType: 0, defaultValue: '缺省值' },
      form: () => [0, '缺省值'],
      row: '缺省值',
    },
  ],
  context: [
    {
      name: 'author',
      more: { uiDefaultType: 1, defaultValue: user },
      form: () => [1, user],
      row: '系统管理员',
    },
    {
      name: 'org',
      more: { uiDefaultType: 1, defaultValue: org },
      form: () => [1, org],
      row: expect.any(String) as unknown,
    },
    {
      name: 'moment',
      more: { uiDefaultType: 1, defaultValue: time },
      form: () => [1, time],
      row: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) as unknown,
    },
  ],
  constant: [
    {
      name: 'name',
      more: { uiDefaultType: 2, defaultValue: 'kinds.default' },
      form: () => [0, '常量'],
      row: '常量',
    },
  ],
  sql: [
    {
      name: 'amount',
      more: { uiDefaultType: 3, defaultValue: 'select count(*) from biz.faculty' },
      form: () => [0, '6'],
      row: 6,
    },
  ],
}
describe('defaults', () => {
  it.each(
    Object.entries(defaults).flatMap(([kind, cases]) =>
      cases.map((each) => [`${kind} ${each.more.defaultValue ?? ''}`, each] as const),
    ),
  )('%s: in the form and in a row created without it', async (_name, { name, more, form, row }) => {
    const field = await withField(name, more)
    expect([field.uiDefaultType, field.defaultValue]).toEqual(form())
    const made = await admin.entityData.create({ ...at, body: {} })
    expect((await admin.entityData.get({ params: { tag, id: made.id } }))[name] ?? null).toEqual(
      row,
    )
    await withField(name, { uiDefaultType: -1, defaultValue: null })
  })
})

describe('links', () => {
  const links: { readonly [K in keyof typeof linkTypes]: string | null } = {
    none: null,
    link: 'https://isbn.example/{name}',
    event: 'open',
  }
  it.each(Object.entries(links))('%s: opens from a value', async (kind, linkUrl) => {
    const button = {
      code: 'open',
      name: '打开',
      status: 1 as const,
      icon: null,
      position: buttonPositions.row,
      positionExp: null,
      eventType: 1 as const,
      eventContent: [{ do: 'message' as const, tone: 'info' as const, text: '{name}' }],
    }
    const field = await withField(
      'name',
      { linkType: linkTypes[kind as keyof typeof linkTypes], linkUrl },
      { buttons: [button] },
    )
    expect([field.linkType, field.linkUrl]).toEqual([
      linkTypes[kind as keyof typeof linkTypes],
      linkUrl,
    ])
    if (kind === 'event')
      expect((await admin.entityData.config(at)).buttons.map(({ code }) => code)).toContain(
        field.linkUrl,
      )
    await withField('name', { linkType: linkTypes.none, linkUrl: null }, { buttons: [] })
  })
})

function today() {
  return new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' }).replaceAll('-', '')
}
const segments: {
  readonly [T in SerialSegment['type']]: {
    readonly given: SerialSegment
    readonly reads: () => RegExp
  }
} = {
  1: { given: { type: 1, length: 4, period: 'day' }, reads: () => /^\d{4}$/ },
  2: { given: { type: 2, format: 3 }, reads: () => new RegExp(`^${today()}$`) },
  3: { given: { type: 3, text: 'JY' }, reads: () => /^JY$/ },
}
const serials: {
  readonly [K in keyof typeof serialTypes]: {
    readonly field: string
    readonly config: readonly SerialSegment[]
    readonly reads: (first: string, second: string) => void
  }
} = {
  autoIncrement: {
    field: 'big',
    config: [],
    reads: (first, second) => expect(Number(second)).toBe(Number(first) + 1),
  },
  custom: {
    field: 'serial',
    config: [segments[3].given, segments[2].given, segments[1].given],
    reads: (first, second) => {
      expect(
        [first.slice(0, 2), first.slice(2, 10), first.slice(10)].every((part, index) =>
          segments[([3, 2, 1] as const)[index] ?? 1].reads().test(part),
        ),
      ).toBe(true)
      expect(Number(second.slice(10))).toBe(Number(first.slice(10)) + 1)
    },
  },
  snowflake: {
    field: 'big',
    config: [],
    reads: (first, second) => {
      expect(first).toMatch(/^\d{15,19}$/)
      expect(BigInt(second)).toBeGreaterThan(BigInt(first))
    },
  },
}
describe('serial numbers', () => {
  it.each(Object.entries(serials))(
    '%s: given at insert, one after the other',
    async (kind, { field, config, reads }) => {
      await withField(
        field,
        { isAdd: 2, isEdit: 2 },
        {
          options: {
            ...entity.options,
            serialNumType: serialTypes[kind as keyof typeof serialTypes],
            serialNumField: field,
            serialNumConfig: [...config],
          },
        },
      )
      const made = [await createKindRow(), await createKindRow()].map((row) => String(row[field]))
      reads(made[0] ?? '', made[1] ?? '')
      await withField(
        field,
        { isAdd: 1, isEdit: 1 },
        {
          options: {
            ...entity.options,
            serialNumType: null,
            serialNumField: null,
            serialNumConfig: [],
          },
        },
      )
    },
  )
})

/**
 * For each operator: the field it filters, and which of three rows it finds:
 * 一甲 1 2026-01-01 [1], 一乙 2 2026-01-02 [1,2], 二甲 3 2026-01-03 [2].
 */
const asked: {
  readonly [O in QueryOperator]: {
    readonly of: 'name' | 'amount' | 'day' | 'many'
    readonly value: unknown
    readonly found: readonly string[]
  }
} = {
  equal: { of: 'name', value: '一甲', found: ['一甲'] },
  notEqual: { of: 'name', value: '一甲', found: ['一乙', '二甲'] },
  in: { of: 'name', value: ['一甲', '二甲'], found: ['一甲', '二甲'] },
  like: { of: 'name', value: '甲', found: ['一甲', '二甲'] },
  leftLike: { of: 'name', value: '甲', found: ['一甲', '二甲'] },
  rightLike: { of: 'name', value: '一', found: ['一乙', '一甲'] },
  gt: { of: 'amount', value: 2, found: ['二甲'] },
  ge: { of: 'amount', value: 2, found: ['一乙', '二甲'] },
  lt: { of: 'amount', value: 2, found: ['一甲'] },
  le: { of: 'amount', value: 2, found: ['一乙', '一甲'] },
  between: { of: 'day', value: ['2026-01-02', '2026-01-03'], found: ['一乙', '二甲'] },
  multiContains: { of: 'many', value: ['2'], found: ['一乙', '二甲'] },
}
describe('query operators', () => {
  beforeAll(async () => {
    await withField('many', {
      uiType: 'multiSelect',
      queryType: 'multiContains',
      dictType: dictTypes.dictionary,
      dictValue: 'gender',
    })
    await withField('kind', {
      uiType: 'input',
      dictType: dictTypes.none,
      dictValue: null,
      queryType: 'equal',
    })
    for (const [name, amount, day, many] of [
      ['一甲', 1, '2026-01-01', ['1']],
      ['一乙', 2, '2026-01-02', ['1', '2']],
      ['二甲', 3, '2026-01-03', ['2']],
    ] as const)
      await admin.entityData.create({
        ...at,
        body: { name, amount, day, many: [...many], kind: '算符' },
      })
  })
  it.each(queryOperators.map((operator) => [operator, asked[operator]] as const))(
    '%s',
    async (queryType, { of, value, found }) => {
      await withField(of, { queryType })
      const { records } = await admin.entityData.page({
        ...at,
        body: { pageSize: 1000, queries: { kind: '算符', [of]: value } },
      })
      expect(records.map((row) => String(row['name'])).toSorted()).toEqual([...found].toSorted())
    },
  )
})

it.each(uiWidths)('a width of %s per cent reaches the form', async (uiWidth) =>
  expect((await withField('kind', { uiWidth })).uiWidth).toBe(uiWidth),
)
it.each(openTypes)('a form opens as %s', async (openType: OpenType) => {
  await withField('kind', {}, { options: { ...entity.options, openType } })
  expect((await admin.entityData.config(at)).options.openType).toBe(openType)
})

/**
 * 0 hidden, 1 editable, 2 read-only: in the form, and enforced by the server
 * (docs/rules/contract.md#entity-data).
 */
const modes: { readonly [M in FieldDraft['isAdd'] & number]: { readonly writes: boolean } } = {
  0: { writes: false },
  1: { writes: true },
  2: { writes: false },
}
it.each(([0, 1, 2] as const).map((mode) => [mode, modes[mode]] as const))(
  'mode %s of adding and editing holds',
  async (mode, { writes }) => {
    const free = await createKindRow({ kind: '旧' })
    const field = await withField('kind', { isAdd: mode, isEdit: mode })
    expect([field.isAdd, field.isEdit]).toEqual([mode, mode])
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => 'written',
        (error: { problem: { code: number } }) => error.problem.code,
      )
    expect(await codeOf(createKindRow({ kind: '新' }))).toBe(writes ? 'written' : 42200)
    expect(
      await codeOf(
        admin.entityData.update({ params: { tag, id: free.id }, body: { version: 1, kind: '新' } }),
      ),
    ).toBe(writes ? 'written' : 42200)
    await withField('kind', { isAdd: 1, isEdit: 1 })
  },
)
