import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../context.ts'
import { entityDataHandlers } from '../../../entities/handlers/entity-data.ts'
import { createRegistry } from './registry.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import { definition, type Fixture, openFixture } from '../../../../testing/entities/fixture.ts'

let fixture: Fixture
let context: Context
beforeAll(async () => {
  fixture = await openFixture()
  context = fixture.context()
})
afterAll(async () => {
  await fixture.close()
})

function loadSampleConfig(tag: string, as = context) {
  return Promise.resolve(
    entityDataHandlers.config({ params: { tag }, query: undefined, body: undefined }, as),
  )
}

describe('registry', () => {
  it('checks for changes at most once a second, and then sees those of other instances', async () => {
    let clock = 0
    const registry = createRegistry(fixture.database, context.log, { now: () => clock })
    const name = async () => (await registry.get('10000', 'T_PLAIN')).definition.name
    expect(await name()).toBe('T_PLAIN')
    await sql`
      update sys.entity
      set definition = jsonb_set(definition, '{name}', '"elsewhere"'), version = version + 1
      where tag = 'T_PLAIN'`.execute(databaseOf(fixture))
    clock = 999
    expect(await name()).toBe('T_PLAIN')
    clock = 1000
    expect(await name()).toBe('elsewhere')
  })
  it('sees a saved definition after invalidate, and prefers the definition of the tenant', async () => {
    const before = (await loadSampleConfig('T_TEAM')).name
    await sql`
      update sys.entity
      set definition = jsonb_set(definition, '{name}', '"改名"'), version = version + 1
      where tag = 'T_TEAM'`.execute(databaseOf(fixture))
    fixture.registry.invalidate()
    expect([before, (await loadSampleConfig('T_TEAM')).name]).toEqual(['T_TEAM', '改名'])
    await fixture.define(
      definition(
        'T_TEAM',
        't_team',
        [{ id: '301', attrName: 'name', uiLabel: 'n', columnName: 'name', isList: 1 }],
        { name: '别家' },
      ),
      '10001',
    )
    expect([
      (await loadSampleConfig('T_TEAM')).name,
      (await loadSampleConfig('T_TEAM', fixture.context({ tenant: '10001' }))).name,
    ]).toEqual(['改名', '别家'])
  })
  it('reads tables once, and again within a second after a table was changed', async () => {
    const db = databaseOf(fixture)
    let clock = 0
    const registry = createRegistry(
      fixture.database,
      { error: () => {}, warn: () => {} } as never,
      { now: () => clock },
    )
    const names = async () => [
      ...((await registry.catalog()).get('biz.t_team')?.columns.keys() ?? []),
    ]
    const first = await registry.catalog()
    clock += 5_000
    expect(await registry.catalog()).toBe(first)
    const before = await names()
    await sql`alter table biz.t_team add column motto text`.execute(db)
    expect(await names()).toEqual(before)
    clock += 1_000
    expect(await names()).toEqual([...before, 'motto'])
    const has = async (column: string) =>
      (await registry.get('10000', 'T_TEAM')).table.columns.has(column)
    expect(await has('motto')).toBe(true)
    await sql`alter table biz.t_team rename column motto to saying`.execute(db)
    clock += 9_000
    expect(await has('saying')).toBe(false)
    clock += 1_000
    expect(await has('saying')).toBe(true)
    await sql`alter table biz.t_team rename column saying to motto`.execute(db)
    for (const change of [
      "alter table biz.t_team alter column motto set default ''",
      'alter table biz.t_team alter column motto type varchar(9)',
      'create unique index t_team_motto on biz.t_team (motto) where motto is null',
      'alter table biz.t_team drop column motto',
    ]) {
      const known = await registry.catalog()
      await sql.raw(change).execute(db)
      registry.invalidate()
      expect(await registry.catalog(), change).not.toBe(known)
    }
    expect(await names()).toEqual(before)
  })
})
