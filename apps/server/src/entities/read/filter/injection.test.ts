// SQL injection through names and values: values are always bound, and names come from definitions
// (docs/rules/security.md#i1, #i2).
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entityDataHandlers } from '../../handlers/entity-data.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { identifier } from '../../../model/definition/names.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import {
  type Fixture,
  openFixture,
  operators,
  sampleFields,
} from '../../../../testing/entities/fixture.ts'

const corpus = [
  "'",
  '"',
  "''",
  "' or '1'='1",
  "' or 1=1 --",
  "'; drop table biz.t_sample; --",
  '"; drop table biz.t_sample; --',
  '1); delete from biz.t_sample; --',
  "x' union select account, password_hash from sys.app_user --",
  '1 or 1=1',
  "1' and pg_sleep(5) --",
  '1;select pg_sleep(5)',
  '(select version())',
  '$1',
  '$$',
  '$$; drop table biz.t_sample; $$',
  "\\'; drop table biz.t_sample; --",
  "%' or 'a' like '%a",
  "E'\\047",
  'name as x',
  'name, secret',
  't.name',
  'biz.t_sample',
  't"."name',
  'id desc; drop table biz.t_sample',
  'case when 1=1 then id else name end',
  '/* */',
  '--',
  '#',
  '\u02bc',
  '\uff07',
  '\u2019 or 1=1',
  '0x27',
  'null',
  'true',
  '{"$ne":null}',
  '[]',
  '%00',
  '中文’',
  'a\\',
  '\\',
  '%',
  '_',
  '%%%%',
  "'||(select 1)||'",
  ':name',
  '?',
  '??',
  '@@version',
  'current_user',
  "pg_read_file('PG_VERSION')",
  'information_schema.tables',
  '__proto__',
  'constructor',
  'toString',
  'c0',
  'g0',
  'k0',
  'version',
  'tenant_id',
  'deleted_at',
  'xmin',
  'ctid',
  '*',
  't.*',
  'name COLLATE "C"',
  'name::text',
  'name->>0',
  "name' COLLATE 'C",
  'a'.repeat(70),
]

type Asked = Partial<Parameters<typeof entityDataHandlers.page>[0]['body']>
let fixture: Fixture
async function loadInjectedPage(tag: string, query: Asked) {
  return await entityDataHandlers.page(
    {
      params: { tag },
      query: undefined,
      body: { pageSize: 5, pageNum: 1, sorts: [], queries: {}, ...query },
    },
    fixture.context(),
  )
}
/** Accepts an answer or a refusal. Any other error comes from the database and fails the test. */
async function outcome(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (e: unknown) => e,
  )
  if (error === null) return 'answered'
  if (error instanceof Refusal) return String(error.status)
  throw error
}
async function countSamples() {
  return Number(
    (await sql<{ n: string }>`select count(*) as n from biz.t_sample`.execute(databaseOf(fixture)))
      .rows[0]?.n,
  )
}

beforeAll(async () => {
  fixture = await openFixture()
  for (const name of ['a', 'b'])
    await entityDataHandlers.create(
      { params: { tag: 'T_SAMPLE' }, query: undefined, body: { name, code: name } },
      fixture.context(),
    )
})
afterAll(async () => {
  await fixture.close()
})

describe('values', () => {
  it.each(operators)('of operator %s are bound', async (operator) => {
    for (const attack of corpus) {
      for (const attrName of [
        'code',
        'memo',
        'nick',
        'tags',
        'marks',
        'kind',
        'amount',
        'born',
        'choices',
        'likes',
        'deptId',
        'seenAt',
      ]) {
        const result = await outcome(
          loadInjectedPage(`T_OP_${operator}`, {
            queries: { [attrName]: operator === 'between' ? [attack, attack] : attack },
          }),
        )
        expect(['answered', '422']).toContain(result)
      }
    }
    expect(await countSamples()).toBe(2)
  })
  it('of equal and like match only the rows they should', async () => {
    for (const attack of corpus) {
      const equal = await loadInjectedPage('T_OP_equal', { queries: { code: attack } })
      expect([attack, equal.total]).toEqual([attack, 0])
      const like = await loadInjectedPage('T_OP_like', { queries: { code: attack } })
      expect([attack, like.total]).toEqual([attack, 0])
    }
  })
  it('are stored and read back unchanged', async () => {
    for (const attack of corpus.filter((text) => !text.includes('\u0000'))) {
      const made = await entityDataHandlers.create(
        { params: { tag: 'T_SAMPLE' }, query: undefined, body: { memo: attack, nick: attack } },
        fixture.context(),
      )
      expect([made.memo, made.nick]).toEqual([attack, attack])
      await entityDataHandlers.remove(
        { params: { tag: 'T_SAMPLE', ids: made.id }, query: undefined, body: undefined },
        fixture.context(),
      )
    }
  })
})

describe('names', () => {
  it('of filters, sorts, columns and fields must be those of the entity', async () => {
    const known = new Set(sampleFields.map(({ attrName }) => attrName))
    for (const attack of corpus.filter((text) => !known.has(text))) {
      expect([
        attack,
        await outcome(loadInjectedPage('T_SAMPLE', { queries: { [attack]: '1' } })),
      ]).toEqual([attack, '422'])
      expect([
        attack,
        await outcome(loadInjectedPage('T_SAMPLE', { sorts: [{ column: attack, asc: true }] })),
      ]).toEqual([attack, '422'])
      expect(
        await outcome(
          Promise.resolve(
            entityDataHandlers.export(
              {
                params: { tag: 'T_SAMPLE' },
                query: undefined,
                body: {
                  pageSize: -1,
                  pageNum: -1,
                  sorts: [],
                  queries: {},
                  columns: [attack],
                  format: 'csv',
                },
              },
              fixture.context(),
            ),
          ),
        ),
      ).toBe('422')
      expect(
        await outcome(
          Promise.resolve(
            entityDataHandlers.lookup(
              {
                params: { tag: 'T_SAMPLE' },
                query: undefined,
                body: { fieldId: attack, pageNum: 1, pageSize: 10 },
              },
              fixture.context(),
            ),
          ),
        ),
      ).toBe('422')
    }
  })
  it('of entities must be known', async () => {
    for (const attack of corpus) {
      expect([attack, await outcome(loadInjectedPage(attack, {}))]).toEqual([attack, '404'])
      expect(
        await outcome(
          Promise.resolve(
            entityDataHandlers.get(
              { params: { tag: 'T_SAMPLE', id: attack }, query: undefined, body: undefined },
              fixture.context(),
            ),
          ),
        ),
      ).toBe('404')
      expect(
        await outcome(
          Promise.resolve(
            entityDataHandlers.remove(
              { params: { tag: 'T_SAMPLE', ids: attack }, query: undefined, body: undefined },
              fixture.context(),
            ),
          ),
        ),
      ).toBe('404')
    }
  })
  it('are quoted whole by identifier(), which refuses what PostgreSQL would cut', () => {
    const compiled = (name: string) => identifier(name).compile(databaseOf(fixture)).sql
    for (const attack of corpus.filter((text) => text !== '')) {
      const fits = !attack.includes('\u0000') && Buffer.byteLength(attack) <= 63
      if (fits) expect(compiled(attack)).toBe(`"${attack.replaceAll('"', '""')}"`)
      else expect(() => identifier(attack), attack).toThrow('not an SQL name')
    }
  })
  it('that are not plain are refused in a definition', async () => {
    await fixture.define({
      tag: 'T_EVIL',
      name: 'e',
      tableName: 't_sample',
      fields: [
        { id: '900', attrName: 'id', uiLabel: 'id', columnName: 'id' },
        {
          id: '901',
          attrName: 'name',
          uiLabel: 'n',
          columnName: 'name"; drop table biz.t_sample; --',
          isList: 1,
          isQuery: 1,
        },
        { id: '902', attrName: 'code', uiLabel: 'c', columnName: 'no_such_column', isList: 1 },
        { id: '903', attrName: 'memo', uiLabel: 'm', columnName: 'memo', isList: 1 },
      ],
    })
    const { records } = await loadInjectedPage('T_EVIL', {})
    expect(Object.keys(records[0] ?? {}).toSorted()).toEqual(['id', 'memo', 'version'])
    await fixture.define({ tag: 'T_GHOST', name: 'g', tableName: 'no_such_table', fields: [] })
    expect(await outcome(loadInjectedPage('T_GHOST', {}))).toBe('404')
    expect(await countSamples()).toBeGreaterThanOrEqual(2)
  })
})

it('search texts of lookups are bound', async () => {
  for (const attack of corpus) {
    for (const fieldId of ['109', '110', '126'])
      expect(['answered', '422']).toContain(
        await outcome(
          Promise.resolve(
            entityDataHandlers.lookup(
              {
                params: { tag: 'T_SAMPLE' },
                query: undefined,
                body: {
                  fieldId,
                  searchKey: attack,
                  cascades: { deptId: attack },
                  pageNum: 1,
                  pageSize: 10,
                },
              },
              fixture.context(),
            ),
          ),
        ),
      )
    expect(['answered', '422']).toContain(
      await outcome(
        Promise.resolve(
          entityDataHandlers.lookup(
            {
              params: { tag: 'T_SAMPLE' },
              query: undefined,
              body: { fieldId: '111', cascades: { deptId: attack }, pageNum: 1, pageSize: 10 },
            },
            fixture.context(),
          ),
        ),
      ),
    )
  }
})

it('random names and values never reach the database as SQL', async () => {
  const fields = sampleFields.map(({ attrName }) => attrName)
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(...corpus),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.oneof(fc.constantFrom(...corpus), fc.integer()), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('id', 'name', 'x'), fc.constantFrom(...corpus), { maxKeys: 2 }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...operators),
      fc.oneof(fc.constantFrom(...fields), fc.string({ maxLength: 20 })),
      value,
      async (operator, name, operand) => {
        expect(['answered', '422']).toContain(
          await outcome(loadInjectedPage(`T_OP_${operator}`, { queries: { [name]: operand } })),
        )
      },
    ),
    { numRuns: 2000, seed: 11 },
  )
  expect(await countSamples()).toBeGreaterThanOrEqual(2)
})
