import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { definition, type Fixture, openFixture } from '../../../testing/entities/fixture.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { snowflake } from '../../platform/id.ts'
import { Refusal } from '../../platform/refusal.ts'
import { entityDataHandlers } from '../handlers/entity-data.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(async () => {
  await fixture.close()
})

it('a submitted sheet takes no new row whose column the database fills, whoever gives the id', async () => {
  const db = databaseOf(fixture)
  await sql`create table biz.t_mark (id bigint primary key, tenant_id bigint not null, org_id bigint,
    create_user bigint, create_time timestamptz not null default now(), update_user bigint,
    update_time timestamptz not null default now(), version integer not null default 1,
    deleted_at timestamptz, term varchar(10) not null default 'spring', mark integer)`.execute(db)
  const field = (fieldId: string, attrName: string, more = {}) => ({
    id: fieldId,
    attrName,
    uiLabel: attrName,
    columnName: attrName,
    isList: 1 as const,
    isDetail: 1 as const,
    ...more,
  })
  await fixture.define(
    definition(
      'T_MARK',
      't_mark',
      [
        field('970', 'id', { isPk: 1 as const, isAdd: 0 as const, isEdit: 0 as const }),
        field('971', 'term'),
        field('972', 'mark', { uiType: 'inputNumber' as const }),
      ],
      {
        options: {
          entry: {
            name: '录入',
            by: ['term'],
            frozen: ['id'],
            columns: ['mark'],
            progress: 'mark',
          },
        },
      },
    ),
  )
  const sheet = JSON.stringify({ term: 'spring' })
  await sql`insert into sys.entry_lock (tenant_id, table_name, sheet, user_id, locked_at)
    values (10000, 'biz.t_mark', ${sheet}, 1, now())`.execute(db)
  const add = (body: Record<string, unknown>) =>
    Promise.resolve(
      entityDataHandlers.create(
        { params: { tag: 'T_MARK' }, query: undefined, body },
        fixture.context(),
      ),
    ).then(
      () => 'added',
      (error: unknown) => (error instanceof Refusal ? error.text.key : String(error)),
    )
  expect(await add({ mark: 1 })).toBe('entry.locked')
  expect(await add({ id: snowflake(7)(), mark: 1 })).toBe('entry.locked')
})
