// Inserts a row, with a key from the person, the server or the database, and answers its id.
import { randomUUID } from 'node:crypto'
import { schoolTimeZone } from '@jiaowu/api/zoned-time'
import { type RawBuilder, sql } from 'kysely'
import { baseRows, type EntityAccess } from '../../access/access.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { allOf, identifier, rowAlias, tableName } from '../../model/definition/names.ts'
import { hasId, idOfValues, idText } from '../../model/definition/row-key.ts'
import { type Column, familyOf } from '../../model/fields/column.ts'
import { type RawRow, selectList } from '../read/rows.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import { takesFormId } from './form-id.ts'

export interface Cell {
  readonly column: Column
  readonly value: RawBuilder<unknown>
}

/** The key that the server gives a new row; null when the database or a form gives it. */
export function serverKey(entity: LoadedEntity, newId: () => string): string | null {
  const { id } = entity
  if (id.hasDefault || id.generated) return null
  return familyOf(id) === 'uuid' ? randomUUID() : takesFormId(entity) ? newId() : null
}

/**
 * Makes `now()` in defaults and triggers of columns without a time zone mean the time of the school.
 * Call at the start of a transaction that writes.
 */
export async function useSchoolClock(db: AnyDatabase, { table }: LoadedEntity): Promise<void> {
  const needsIt = [...table.columns.values()].some(
    ({ type, defaultIsNow, name }) =>
      ['timestamp', 'date', 'time'].includes(type) &&
      (defaultIsNow === true || table.hasTriggers === true || name.endsWith('_time')),
  )
  if (needsIt) await sql`select set_config('TimeZone', ${schoolTimeZone}, true)`.execute(db)
}

/**
 * Inserts a row and reads it with the same statement where nothing else can change it: no trigger, no rule.
 * @returns its id, and the row with these fields as `selectList` has it, if it was read
 * @throws Refusal 409 when a trigger or rule of the table stored no row
 */
export async function insertRow(
  db: AnyDatabase,
  access: EntityAccess,
  fields: readonly LoadedField[],
  cells: readonly Cell[],
): Promise<{ readonly id: string; readonly raw?: RawRow }> {
  const { entity } = access
  if (entity.table.insertsElsewhere === true)
    return { id: await insertElsewhere(db, entity, cells) }
  const isRead = isStoredAsWritten(access) && fields.every(({ column }) => column !== null)
  const { rows } = await sql<RawRow & { id: string }>`
    insert into ${into(entity)} ${valuesOf(cells)}
    returning ${isRead ? selectList(access, fields) : sql`${idText(entity)} as id`}`.execute(db)
  const [raw] = rows
  return { id: raw?.id ?? '', ...(isRead && raw !== undefined && { raw }) }
}

/** Whether a new row is among the caller's rows and stays as the insert has answered it. */
function isStoredAsWritten({ entity, grants }: EntityAccess): boolean {
  const { schema, kind, hasTriggers, hasAfterTriggers } = entity.table
  return (
    schema !== 'sys' &&
    (kind ?? 'table') === 'table' &&
    hasTriggers !== true &&
    hasAfterTriggers !== true &&
    entity.has('version') &&
    grants.length === 1 &&
    grants[0]?.scope === null
  )
}

/**
 * Runs the triggers now that would run at the commit, for one of them may delete the new row.
 * @throws Refusal 409 when the row is gone
 */
export async function assertKept(
  db: AnyDatabase,
  entity: LoadedEntity,
  id: string,
  tenant: string,
): Promise<void> {
  if ((await goneRows(db, entity, [id], tenant)).size > 0) throw notStored()
}

export const notStored = () => new Refusal(409, { key: 'problem.notStored' })

/** Of written rows those that a trigger of the commit deletes; it runs now. */
export async function goneRows(
  db: AnyDatabase,
  entity: LoadedEntity,
  ids: readonly string[],
  tenant: string,
): Promise<ReadonlySet<string>> {
  if (entity.table.hasDeferredTriggers !== true) return new Set()
  await sql`set constraints all immediate`.execute(db)
  const gone = new Set(ids)
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const { rows } = await sql<{ id: string }>`
      select ${idText(entity)} as id from ${fromTable(entity)}
      where ${allOf([baseRows(entity, tenant), hasId(entity, ids.slice(at, at + idsAtOnce))])}`.execute(
      db,
    )
    for (const { id } of rows) gone.delete(id)
  }
  return gone
}

const idsAtOnce = 1000

const into = ({ table }: LoadedEntity) =>
  sql`${tableName(table.schema, table.name)} as ${identifier(rowAlias)}`

function valuesOf(cells: readonly Cell[]): RawBuilder<unknown> {
  return cells.length === 0
    ? sql`default values`
    : sql`(${sql.join(cells.map(({ column }) => identifier(column.name)))})
    values (${sql.join(cells.map(({ value }) => value))})`
}

/**
 * Of a table whose rules or triggers may store the row in another one: `returning` then answers
 * nothing, so the values of the key are decided before.
 */
async function insertElsewhere(
  db: AnyDatabase,
  entity: LoadedEntity,
  cells: readonly Cell[],
): Promise<string> {
  const defaults = await keyDefaults(db, entity, cells)
  const all = [...cells, ...defaults]
  const values = entity.key.map(
    ({ name }) => all.find(({ column }) => column.name === name)?.value ?? sql`null`,
  )
  const { rows: keys } = await sql<Record<string, string | null>>`
    select ${sql.join(values.map((value, i) => sql`(${value})::text as ${identifier(`k${i}`)}`))}`.execute(
    db,
  )
  const known = idOfValues(entity.key.map((_column, i) => keys[0]?.[`k${i}`] ?? null))
  const statement = sql`insert into ${into(entity)} ${valuesOf(all)}`
  if (entity.table.insertsByRule === true) await statement.execute(db)
  else {
    const { rows } = await sql<{ id: string }>`
      ${statement} returning ${idText(entity)} as id`.execute(db)
    if (rows[0] !== undefined) return rows[0].id
  }
  if (known === null) throw notStored()
  return known
}

/** The next values of the sequences behind key columns that the row does not fill. */
async function keyDefaults(
  db: AnyDatabase,
  { key, table }: LoadedEntity,
  cells: readonly Cell[],
): Promise<Cell[]> {
  const found: Cell[] = []
  for (const column of key) {
    if (!column.hasDefault || column.generated) continue
    if (cells.some((cell) => cell.column.name === column.name)) continue
    const { rows } = await sql<{ default: string | null }>`
      select pg_get_expr(d.adbin, d.adrelid) as default
      from pg_catalog.pg_attrdef d
      join pg_catalog.pg_class c on c.oid = d.adrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
      where n.nspname = ${table.schema}::text and c.relname = ${table.name}::text
        and a.attname = ${column.name}::text`.execute(db)
    const sequence = /^nextval\('(.*)'::regclass\)$/.exec(rows[0]?.default ?? '')?.[1]
    if (sequence !== undefined)
      found.push({
        column,
        value: sql`(select nextval(${sequence.replaceAll("''", "'")}::text::regclass))`,
      })
  }
  // Each expression is evaluated once: the insert must store what was read.
  return await Promise.all(
    found.map(async ({ column, value }) => {
      const { rows } = await sql<{ n: string }>`select ${value}::text as n`.execute(db)
      return { column, value: sql`${rows[0]?.n}::int8` }
    }),
  )
}
