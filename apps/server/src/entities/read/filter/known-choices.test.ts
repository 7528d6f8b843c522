// A filter by a word that is no choice of its field is refused, wherever the choices come from.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  definition,
  type Fixture,
  openFixture,
  sampleFields,
} from '../../../../testing/entities/fixture.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import { Invalid } from '../../../platform/refusal.ts'
import { entityDataHandlers } from '../../handlers/entity-data.ts'

let fixture: Fixture
const statement = "select '1' as id, '在读' as name union all select '2' as id, '毕业' as name"
const tag = 'T_CHOSEN'

beforeAll(async () => {
  fixture = await openFixture()
  await sql`insert into biz.t_sample (id, tenant_id, name, kind) values
    (1, 10000, 'a', '1'), (2, 10000, 'b', '2'), (3, 10000, 'c', '9')`.execute(databaseOf(fixture))
  const chosen = (attrName: string, dictValue: string, more: object = {}) => ({
    ...sampleFields.find((each) => each.attrName === 'kind'),
    id: attrName,
    attrName,
    uiLabel: `类别 ${attrName}`,
    uiType: 'select' as const,
    dictType: 2 as const,
    dictValue,
    isQuery: 1 as const,
    isList: 1 as const,
    isAdd: 0 as const,
    isEdit: 0 as const,
    ...more,
  })
  await fixture.define(
    definition(tag, 't_sample', [
      ...sampleFields.filter(({ attrName }) => attrName === 'name'),
      chosen('bySql', statement),
      chosen('broken', 'select id from nowhere'),
      chosen('many', 'select n::text as id, n::text as name from generate_series(1, 1000) n'),
      chosen('below', statement, {
        options: { cascades: [{ attrName: 'bySql', filterAttr: 'x' }] },
      }),
    ]),
  )
})
afterAll(() => fixture.close())

async function find(query: object): Promise<string> {
  try {
    const { records } = await entityDataHandlers.page(
      {
        params: { tag },
        query: undefined,
        body: { pageSize: 10, pageNum: 1, sorts: [], queries: {}, ...query } as never,
      },
      fixture.context(),
    )
    return records
      .map(({ name }) => String(name))
      .toSorted()
      .join('')
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return error.faults
      .map(({ path, message }) => `${path} ${message.key} ${JSON.stringify(message.params)}`)
      .join()
  }
}

it.each([
  [{ queries: { bySql: '毕业生' } }, 'queries.bySql'],
  [{ queries: { bySql: [{ id: '毕业生' }] } }, 'queries.bySql'],
  [{ where: { and: [{ column: 'bySql', op: 'equal', value: '毕业生' }] } }, 'where.bySql'],
  [{ where: { and: [{ column: 'bySql', op: 'in', value: ['1', '毕业生'] }] } }, 'where.bySql'],
])('of a statement: %j is refused with the choices', async (query, path) => {
  expect(await find(query)).toBe(
    `${path} entity.noChoiceBut ${JSON.stringify({
      label: '类别 bySql',
      value: '毕业生',
      choices: '在读(1) 毕业(2)',
      meant: '毕业',
    })}`,
  )
})

it('takes its choices, and what rows hold besides', async () => {
  expect(await find({ queries: { bySql: '2' } })).toBe('b')
  expect(await find({ queries: { bySql: '9' } })).toBe('c')
})

it.each(['broken', 'many', 'below'])(
  'lets a list find nothing where the choices cannot be known: %s',
  async (name) => {
    expect(await find({ queries: { [name]: '毕业生' } })).toBe('')
  },
)
