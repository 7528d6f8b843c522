// Estimates what proposed indexes would gain, by the planner's costs over a sample of the table. The sample is a
// temporary table of one transaction that is rolled back: it blocks no write and leaves nothing.
import { type Kysely, sql } from 'kysely'
import { baseRows } from '../../access/access.ts'
import type { MemoryKind } from '../../platform/memory.ts'
import type { Services } from '../../model/context.ts'
import { explain, wholeCost } from '../../platform/database/statements/plans.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { quoteName, tableName } from '../../model/definition/names.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { pageStatements } from './page-statements.ts'
import type { IndexUse, ProposedIndex } from './propose-index.ts'
import { type Trial, tryIndex } from './try-index.ts'

const sampleRows = 10_000
const timeLimit = `set local statement_timeout = '2s'`

export interface WantedIndex {
  readonly field: LoadedField
  readonly use: IndexUse
  readonly index: ProposedIndex
}

/** The gain of an index over a sample of so many rows. */
export interface Gain extends Trial {
  readonly rows: number
}

type Gains = ReadonlyMap<string, Gain>
const none: Gains = new Map()
const trials: MemoryKind<Promise<Gains>> = { name: 'index trials', limit: 50, age: 600_000 }

/**
 * Gains by the statement of the index, remembered for ten minutes. Without those that gain nothing, and
 * empty where the role may not make temporary tables or two seconds do not suffice for a statement.
 */
export function sampleGains(
  services: Pick<Services, 'database' | 'memory' | 'log'>,
  entity: LoadedEntity,
  tenant: string,
  wanted: readonly WantedIndex[],
): Promise<Gains> {
  if (wanted.length === 0) return Promise.resolve(none)
  const kept = services.memory.of(trials)
  const key = JSON.stringify([tenant, ...wanted.map(({ use, index }) => [use, index.statement])])
  const known = kept.get(key)
  if (known !== undefined) return known
  const gains = measure(services, entity, tenant, wanted).catch((error: unknown) => {
    services.log.info({ err: error, tag: entity.tag }, 'indexes could not be tried on a sample')
    return none
  })
  kept.set(key, gains)
  return gains
}

async function measure(
  services: Pick<Services, 'database'>,
  entity: LoadedEntity,
  tenant: string,
  wanted: readonly WantedIndex[],
): Promise<Gains> {
  const trx = await databaseOf(services).startTransaction().execute()
  try {
    await sql.raw(timeLimit).execute(trx)
    const rows = await fillSample(trx, entity, tenant)
    const sample = { ...entity, table: { ...entity.table, ...sampleTable } }
    const gains = new Map<string, Gain>()
    for (const each of wanted) {
      const trial = await buildTrial(trx, sample, tenant, each)
      if (trial !== null) gains.set(each.index.statement, { rows, ...trial })
    }
    return gains
  } finally {
    await trx.rollback().execute()
  }
}

const sampleTable = { schema: 'pg_temp', name: 'index_sample' } as const

async function fillSample(
  trx: Kysely<unknown>,
  entity: LoadedEntity,
  tenant: string,
): Promise<number> {
  const { table } = entity
  const { rows } = await sql<{ rows: number }>`
    select coalesce(reltuples, 0)::float8 as rows from pg_catalog.pg_class
    where oid = ${`${quoteName(table.schema)}.${quoteName(table.name)}`}::text::regclass`.execute(
    trx,
  )
  // Half as many again, since pages are drawn and not rows.
  const percent = Math.min(100, (150 * sampleRows) / Math.max(1, rows[0]?.rows ?? 0))
  await sql`
    create temporary table ${tableName(sampleTable.schema, sampleTable.name)} on commit drop as
    select t.* from ${fromTable(entity)} tablesample system (${sql.lit(percent)})
    where ${baseRows(entity, tenant)} limit ${sql.lit(sampleRows)}`.execute(trx)
  await sql`analyze ${tableName(sampleTable.schema, sampleTable.name)}`.execute(trx)
  const sample = await sql<{ rows: string }>`
    select count(*) as rows from ${tableName(sampleTable.schema, sampleTable.name)}`.execute(trx)
  return Number(sample.rows[0]?.rows ?? 0)
}

async function buildTrial(
  trx: Kysely<unknown>,
  sample: LoadedEntity,
  tenant: string,
  { field, use, index }: WantedIndex,
): Promise<Trial | null> {
  const statements = await pageStatements(trx, sample, tenant, field, use)
  if (statements === null) return null
  const before = wholeCost(await explain(trx, statements.now.text, statements.now.values))
  const make = [`create index ${quoteName(index.name)} on pg_temp.index_sample ${index.body}`]
  const trial = await tryIndex(trx, statements, index, before, make)
  await sql.raw(`drop index pg_temp.${quoteName(index.name)}`).execute(trx)
  return trial
}
