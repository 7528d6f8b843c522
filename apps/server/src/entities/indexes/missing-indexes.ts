// Which indexes the slow lists lack: by the plan of the database, and on request by building the index in a
// transaction that is rolled back (docs/rules/database.md#indexes-for-lists).
import { type Kysely, sql } from 'kysely'
import type { Services } from '../../model/context.ts'
import { explain, wholeCost } from '../../platform/database/statements/plans.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { quoteName } from '../../model/definition/names.ts'
import type { Column } from '../../model/fields/column.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { listField } from '../read/filter/times.ts'
import { type PageStatements, pageStatements } from './page-statements.ts'
import {
  type IndexUse,
  type ProposedIndex,
  proposeIndex,
  type SearchExtensions,
} from './propose-index.ts'
import type { SlowList } from './slow-lists.ts'
import { type Trial, tryIndex } from './try-index.ts'

/** Building an index locks the writes to its table. */
const trialLimits = `set local lock_timeout = '1s'; set local statement_timeout = '20s'`

export interface MissingIndex {
  readonly column: string
  readonly use: IndexUse
  readonly index: ProposedIndex
  /** Null when the index was not tried. */
  readonly trial: Trial | null
}

/** The indexes that a slow list lacks, where one can help. */
export async function missingIndexes(
  services: Services,
  { tenant, tag, uses }: SlowList,
  tries: boolean,
): Promise<MissingIndex[]> {
  const entity = await services.registry.get(tenant, tag)
  const extensions = await searchExtensions(databaseOf(services))
  const found: MissingIndex[] = []
  for (const [attrName, use] of uses) {
    const field = listField(entity, attrName)
    const column = field === undefined ? null : findComparedColumn(entity, field)
    if (field === undefined || column === null) continue
    const index = proposeIndex(entity.table, column, use, extensions)
    if (index === null) continue
    const statements = await pageStatements(databaseOf(services), entity, tenant, field, use)
    if (statements === null) continue
    const missing = await findMissingIndex(
      services,
      entity,
      statements,
      { column, use, index },
      tries,
    )
    if (missing !== null) found.push(missing)
  }
  return found
}

async function searchExtensions(db: Kysely<unknown>): Promise<SearchExtensions> {
  const { rows } = await sql<{ name: string }>`
    select extname::text as name from pg_catalog.pg_extension`.execute(db)
  const names = new Set(rows.map(({ name }) => name))
  return { trigrams: names.has('pg_trgm'), bigrams: names.has('pg_bigm') }
}

/** An encrypted field is compared by its blind index. */
function findComparedColumn(
  { table }: LoadedEntity,
  { sealer, column }: LoadedField,
): Column | null {
  return sealer === null ? column : (table.columns.get(sealer.index) ?? null)
}

/** Null when the database uses an index already, or when a trial shows that this one would not be used. */
async function findMissingIndex(
  { database, log }: Services,
  { table: { schema, name } }: LoadedEntity,
  statements: PageStatements,
  { column, use, index }: { column: Column; use: IndexUse; index: ProposedIndex },
  tries: boolean,
): Promise<MissingIndex | null> {
  const db = databaseOf({ database })
  const plan = await explain(db, statements.now.text, statements.now.values)
  if (isServed(plan, column.name, use)) return null
  const missing = { column: column.name, use, index, trial: null }
  if (!tries) return missing
  const trx = await db.startTransaction().execute()
  try {
    for (const setting of trialLimits.split('; ')) await sql.raw(setting).execute(trx)
    const make = [index.statement, `analyze ${quoteName(schema)}.${quoteName(name)}`]
    const trial = await tryIndex(trx, statements, index, wholeCost(plan), make)
    return trial === null ? null : { ...missing, trial }
  } catch (error) {
    log.warn({ err: error, index: index.name }, 'the index could not be tried')
    return missing
  } finally {
    await trx.rollback().execute()
  }
}

/** Whether a plan finds or orders the rows by an index on the column. */
function isServed(plan: unknown, column: string, use: IndexUse): boolean {
  const text = JSON.stringify(plan)
  if (use === 'order') return !/"Node Type":"(?:Incremental )?Sort"/.test(text)
  return [...text.matchAll(/"Index Cond":"((?:[^"\\]|\\.)*)"/g)].some(([, condition]) =>
    (condition ?? '').split(/[^\p{L}\p{N}_$]+/u).includes(column),
  )
}
