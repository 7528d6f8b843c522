// Inserts a row, with a key from the person, the server or the database, and answers its id.
import type { AnyDatabase } from '../../../platform/database/any-database.ts'
import { type RawBuilder, sql } from 'kysely'
import type { EntityAccess } from '../../../access/access.ts'
import type { LoadedEntity, LoadedField } from '../../../model/definition/loaded.ts'
import { identifier, rowAlias, tableName } from '../../../model/definition/names.ts'
import { idOfValues, idText } from '../../../model/definition/row-key.ts'
import { type RawRow, selectList } from '../../read/rows.ts'
import { notStored } from '../kept-rows.ts'
import type { Cell } from './cells.ts'

/**
 * Inserts a row and reads it with the same statement where nothing else can change it: no trigger, no rule.
 * @param fields to read; null where nobody asks
 * @returns its id, and the row with these fields as `selectList` has it, if it was read
 * @throws Refusal 409 when a trigger or rule of the table stored no row
 */
export async function insertRow(
  db: AnyDatabase,
  access: EntityAccess,
  fields: readonly LoadedField[] | null,
  cells: readonly Cell[],
): Promise<{ readonly id: string; readonly raw?: RawRow }> {
  const { entity } = access
  if (entity.table.insertsElsewhere === true)
    return { id: await insertElsewhere(db, entity, cells) }
  const read = chooseReturned(access, fields)
  const { rows } = await sql<RawRow & { id: string }>`
    insert into ${into(entity)} ${buildInsertValues(cells)}
    returning ${read === null ? sql`${idText(entity)} as id` : selectList(access, read)}`.execute(
    db,
  )
  const [raw] = rows
  return { id: raw?.id ?? '', ...(read !== null && raw !== undefined && { raw }) }
}

/** The fields that the statement itself may answer as the caller reads the row; null where it must be read again. */
export function chooseReturned(
  access: EntityAccess,
  fields: readonly LoadedField[] | null,
): readonly LoadedField[] | null {
  return isStoredAsWritten(access) && fields?.every(({ column }) => column !== null) === true
    ? fields
    : null
}

/** Whether a written row is among the caller's rows and stays as the statement has answered it. */
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

const into = ({ table }: LoadedEntity) =>
  sql`${tableName(table.schema, table.name)} as ${identifier(rowAlias)}`

function buildInsertValues(cells: readonly Cell[]): RawBuilder<unknown> {
  return cells.length === 0
    ? sql`default values`
    : sql`(${sql.join(cells.map(({ column }) => identifier(column.name)))})
    values (${sql.join(cells.map(({ value }) => value))})`
}

/**
 * Inserts into a table whose rules or triggers may store the row in another one: `returning` then
 * answers nothing, so the values of the key are decided before.
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
  const statement = sql`insert into ${into(entity)} ${buildInsertValues(all)}`
  if (entity.table.insertsByRule === true) {
    await statement.execute(db)
    if (!(await isStored(db, entity, values))) throw notStored()
  } else {
    const { rows } = await sql<{ id: string }>`
      ${statement} returning ${idText(entity)} as id`.execute(db)
    if (rows[0] !== undefined) return rows[0].id
  }
  if (known === null) throw notStored()
  return known
}

/** Whether the table has the row, which a rule may have stored elsewhere or left out. */
async function isStored(
  db: AnyDatabase,
  { table, key }: LoadedEntity,
  values: readonly RawBuilder<unknown>[],
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${tableName(table.schema, table.name)} where ${sql.join(
      key.map(({ name }, i) => sql`${identifier(name)} = ${values[i] ?? sql`null`}`),
      sql` and `,
    )}`.execute(db)
  return rows.length > 0
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
