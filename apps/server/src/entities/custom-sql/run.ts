// Runs custom SQL read-only, with limits on cost, rows and time (docs/rules/security.md#i3).
import type { DictItem } from '@jiaowu/api/entity/values'
import { messageText } from '@jiaowu/api/texts/index'
import { schoolTime } from '@jiaowu/api/formats'
import { schoolTimeZone } from '@jiaowu/api/zoned-time'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Context, Services } from '../../model/context.ts'
import type { MemoryKind } from '../../platform/memory.ts'
import type { Catalog, CatalogTable } from '../../model/definition/catalog.ts'
import { quoteName } from '../../model/definition/names.ts'
import { Refusal } from '../../platform/refusal.ts'
import { explain, largestCost } from '../../platform/database/statements/plans.ts'
import { TimeIsUp } from '../../platform/database/open-database.ts'
import { ownBinds, sqlLimits } from './allowed.ts'
import { sharedRows, type SqlRows } from './answers.ts'
import { compileSql, SqlRefusal } from './compile.ts'
import { buildReaderView } from './reader-view.ts'
import { countCut, switchedOff } from './cuts.ts'
import { maxBindBytes } from './growth.ts'

/** Values of a custom SQL's parameters: the server's own, and those of the form's other fields. */
export type SqlBinds = Readonly<Record<string, string | null>>

/** Reads choices from the columns `id`, `name` and, for trees, `pid`. @throws Refusal 422 */
export async function sqlChoices(
  context: Context,
  source: string,
  binds: SqlBinds = {},
): Promise<DictItem[]> {
  try {
    const rows = await toResultRows(context, source, binds, (columns) => {
      if (!columns.includes('id') || !columns.includes('name'))
        throw new SqlRefusal({ key: 'sql.columns' })
      const pid = columns.includes('pid') ? ', pid::text as pid' : ''
      return `id::text as id, left(name::text, ${sqlLimits.shown}) as name${pid}`
    })
    return rows.map(({ id, name, pid }) => ({
      id: String(id),
      name: String(name ?? ''),
      ...(pid === undefined ? {} : { pid: String(pid ?? '0') }),
    }))
  } catch (error) {
    throw refusalFor(context, error)
  }
}

/**
 * `select`: the columns to read, given the statement's own.
 * @throws SqlRefusal, and any error of the database
 */
async function toResultRows(
  context: Context,
  source: string,
  more: SqlBinds,
  select: (columns: readonly string[]) => string,
): Promise<SqlRows> {
  const binds = buildBinds(context, more)
  const catalog = await context.registry.catalog()
  const compiled = compileSql(source, catalog, null, await buildReaderView(context))
  const { text, tables, columns } = compiled
  const given = compiled.names.map((name) => binds[name] ?? null)
  const values = [...given, context.subject.tenant, ...compiled.values]
  if (given.some((value) => value !== null && Buffer.byteLength(value) > maxBindBytes))
    throw new SqlRefusal({ key: 'sql.bindTooLong' })
  // Without a table that has tenants the statement would not use the tenant's parameter, which the
  // protocol refuses; the comparison uses it.
  const whole = `select ${select(columns)} from (${text}) as chosen
    where $${given.length + 1}::text is not null limit ${sqlLimits.rows}`
  return await sharedRows(context, [whole, values], async () => {
    if ((await switchedOff(context, [source])).size > 0) throw new SqlRefusal({ key: 'sql.off' })
    await analyse(context, tables)
    return await runLimited(context, source, whole, values)
  })
}

/** @throws SqlRefusal when the time is up, which counts against the statement */
async function runLimited(
  context: Context,
  source: string,
  whole: string,
  values: readonly unknown[],
): Promise<SqlRows> {
  try {
    return await context.database.limited(sqlLimits.milliseconds, async (trx) => {
      await sql`select set_config('TimeZone', ${schoolTimeZone}, true)`.execute(trx)
      await assertCheap(trx, whole, values)
      return (await trx.executeQuery<SqlRows[number]>(CompiledQuery.raw(whole, [...values]))).rows
    })
  } catch (error) {
    if (!(error instanceof TimeIsUp)) throw error
    await countCut(context, source)
    throw new SqlRefusal({ key: 'sql.slow' })
  }
}

function buildBinds({ subject, now }: Context, more: SqlBinds): SqlBinds {
  return {
    userId: subject.userId,
    account: subject.account,
    orgId: subject.org?.id ?? null,
    tenant: subject.tenant,
    searchKey: null,
    today: schoolTime(now()).slice(0, 10),
    ...more,
  }
}

/** Tables by oid that this server has analysed; on a cluster their statistics never show here. */
const analysed: MemoryKind<true> = { name: 'analysed tables', limit: 5_000 }

/**
 * A table that was never analysed looks empty to the planner, which would defeat the cost limit. One
 * whose index was created after its rows, as a restored table, has a number of rows but no statistics
 * of columns: each condition seems to leave one row in 200.
 */
async function analyse(
  { database, memory }: Pick<Services, 'database' | 'memory'>,
  tables: readonly CatalogTable[],
): Promise<void> {
  const db = database.untyped
  if (tables.length === 0) return
  const names = sql.join(tables.map(({ schema, name }) => sql`(${schema}::text, ${name}::text)`))
  const done = memory.of(analysed)
  const { rows } = await sql<{ schema: string; name: string; oid: string }>`
    select n.nspname::text as schema, c.relname::text as name, c.oid::text as oid from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where (n.nspname::text, c.relname::text) in (${names}) and c.relkind in ('r', 'p', 'm')
      and (c.reltuples < 0 or not exists (
        select from pg_catalog.pg_stats s where s.schemaname = n.nspname and s.tablename = c.relname
      ))`.execute(db)
  for (const { schema, name, oid } of rows) {
    if (done.has(oid)) continue
    await sql`analyze ${sql.id(schema, name)}`.execute(db)
    done.set(oid, true)
  }
}

async function assertCheap(
  db: Pick<Kysely<unknown>, 'executeQuery'>,
  text: string,
  values: readonly unknown[],
): Promise<void> {
  const cost = largestCost(await explain(db, text, values))
  if (cost > sqlLimits.cost) throw new SqlRefusal({ key: 'sql.cost' })
}

/** The refusal shown to the user. It contains nothing of the SQL; the log has the cause. */
function refusalFor(context: Context, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  context.log.warn({ err: error, traceId: context.traceId }, 'custom SQL failed')
  return new Refusal(422, error instanceof SqlRefusal ? error.text : { key: 'sql.failed' })
}

/**
 * The first column of the first row, as the default of a field. Null when there is no row or the
 * statement fails: a broken default must not prevent saving the row.
 */
export async function sqlValue(context: Context, source: string): Promise<string | null> {
  try {
    const [row] = await toResultRows(context, source, {}, ([first]) => {
      if (first === undefined) throw new SqlRefusal({ key: 'sql.columns' })
      return `left(${quoteName(first)}::text, ${maxBindBytes}) as value`
    })
    const value = row?.['value'] ?? null
    return value === null ? null : String(value)
  } catch (error) {
    context.log.warn({ err: error, traceId: context.traceId }, 'the custom SQL of a default failed')
    return null
  }
}

/** Checks custom SQL at save: the reason it may not run, in the caller's language, or null. */
export function refusalOfSql(
  { locale }: Pick<Context, 'locale'>,
  catalog: Catalog,
  attrNames: readonly string[],
) {
  return (source: string): string | null => {
    try {
      compileSql(source, catalog, [...ownBinds, ...attrNames])
      return null
    } catch (error) {
      if (error instanceof SqlRefusal) return messageText(locale, error.text)
      throw error
    }
  }
}
