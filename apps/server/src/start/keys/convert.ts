// Encrypts what is stored plain or under an earlier key: rows of encrypted columns, their history,
// and the snapshots in issued documents. Every batch is a transaction, and what is done is left
// alone, so that a killed run goes on where it ended (docs/rules/security.md#d6).
import type { FieldChange } from '@jiaowu/api/entity/definition/history'
import { sql } from 'kysely'
import type { Services } from '../../model/context.ts'
import type { DocumentContent } from '../../platform/database/tables/document-content.ts'
import { resealAll, schoolsIn } from './reseal.ts'
import { openedContent, sealedContent } from '../../documents/content/sealed.ts'
import { identifier, tableName } from '../../model/definition/names.ts'
import { transact } from '../../platform/database/transact.ts'
import { isSealed, readKeyId, type Keys } from '../../platform/keys/keys.ts'
import {
  type SealedColumn,
  sealedColumns,
  type Sealer,
  createSealer,
} from '../../model/sealed/sealed-columns.ts'

type Converting = Pick<Services, 'database' | 'log'>
/** Small enough that list pages are served between batches of a rotation. */
const batch = 1_000

/** The number of values that were encrypted. */
export async function convertAll(services: Converting, keys: Keys): Promise<number> {
  let count = 0
  for (const sealed of sealedColumns) count += await convertRows(services, keys, sealed)
  if (await isConverted(services, keys)) return count
  for (const sealed of sealedColumns) count += await convertHistory(services, keys, sealed)
  count += await convertDocuments(services, keys)
  count += await resealAll(services, keys)
  await services.database.kysely
    .updateTable('sys.pii_key')
    .set({ converted: true })
    .where('id', '=', keys.current)
    .execute()
  return count
}

/** Old rows of the history and old documents stay converted; only the tables are looked through. */
async function isConverted({ database }: Converting, keys: Keys): Promise<boolean> {
  const row = await database.kysely
    .selectFrom('sys.pii_key')
    .select('converted')
    .where('id', '=', keys.current)
    .executeTakeFirst()
  return row?.converted === true
}

const isCurrent = (keys: Keys, stored: string) =>
  isSealed(stored) && readKeyId(stored) === keys.current

async function convertRows(
  services: Converting,
  keys: Keys,
  sealed: SealedColumn,
): Promise<number> {
  let count = 0
  for (const tenant of await schoolsIn(services, sealed.table))
    count += await convertSchool(services, keys, sealed, tenant)
  return count
}

async function convertSchool(
  { database: { kysely }, log }: Converting,
  keys: Keys,
  sealed: SealedColumn,
  tenant: string,
): Promise<number> {
  const [schema = '', name = ''] = sealed.table.split('.')
  const table = tableName(schema, name)
  const [column, index] = [identifier(sealed.column), identifier(sealed.index)]
  const sealer = createSealer(keys, sealed)
  let count = 0
  for (;;) {
    const changed = await transact(kysely, async (trx) => {
      const { rows } = await sql<{ id: string; value: string }>`
        select id::text as id, ${column} as value from ${table}
        where tenant_id = ${tenant}::int8 and ${column} is not null
          and ${column} not like ${`enc1:${keys.current}:%`}
        order by id limit ${batch} for update`.execute(trx)
      if (rows.length === 0) return 0
      const plain = rows.map(({ value }) => sealer.open(value))
      await sql`
        update ${table} as t set ${column} = u.sealed, ${index} = u.blind
        from unnest(${rows.map(({ id }) => id)}::int8[], ${plain.map(sealer.seal)}::text[],
          ${plain.map(sealer.blind)}::text[]) as u(id, sealed, blind)
        where t.tenant_id = ${tenant}::int8 and t.id = u.id`.execute(trx)
      return rows.length
    })
    count += changed
    if (changed < batch) break
    log.info({ table: sealed.table, count }, 'personal data encrypted')
  }
  return count
}

/** The tags on the table with their attrNames of the column, as all revisions name it. */
async function loadAttrNames(
  { database: { kysely } }: Converting,
  { table, column }: SealedColumn,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await sql<{ tag: string; attr_name: string }>`
    select distinct r.tag, f ->> 'attrName' as attr_name
    from (
      select tag, definition from sys.entity union all
      select tag, definition from sys.entity_revision
    ) as r, jsonb_array_elements(r.definition -> 'fields') as f
    where coalesce(r.definition ->> 'schemaName', 'biz') || '.' || (r.definition ->> 'tableName')
        = ${table}
      and f ->> 'columnName' = ${column}`.execute(kysely)
  return new Map(
    [...Map.groupBy(rows, ({ tag }) => tag)].map(([tag, its]) => [
      tag,
      new Set(its.map(({ attr_name }) => attr_name)),
    ]),
  )
}

async function convertHistory(
  services: Converting,
  keys: Keys,
  sealed: SealedColumn,
): Promise<number> {
  const sealer = createSealer(keys, sealed)
  let count = 0
  for (const [tag, attrNames] of await loadAttrNames(services, sealed)) {
    const isWanted = ({ attrName }: FieldChange) => attrNames.has(attrName)
    const converted = (change: FieldChange): FieldChange =>
      isWanted(change)
        ? {
            ...change,
            from: convertedValue(keys, sealer, change.from),
            to: convertedValue(keys, sealer, change.to),
          }
        : change
    count += await convertJson<readonly FieldChange[]>(services, {
      table: 'sys.row_history',
      column: 'changes',
      where: sql`tag = ${tag} and changes::text like '%attrName%'`,
      isDone: (changes) =>
        changes
          .filter(isWanted)
          .every(({ from, to }) => isDoneValue(keys, from) && isDoneValue(keys, to)),
      convert: (changes) => changes.map(converted),
    })
  }
  return count
}

function isDoneValue(keys: Keys, value: FieldChange['from']): boolean {
  return typeof value !== 'string' || value === '' || isCurrent(keys, value)
}

function convertedValue(
  keys: Keys,
  sealer: Sealer,
  value: FieldChange['from'],
): FieldChange['from'] {
  return typeof value !== 'string' || isDoneValue(keys, value)
    ? value
    : sealer.seal(sealer.open(value))
}

async function convertDocuments(services: Converting, keys: Keys): Promise<number> {
  let count = 0
  for (const table of ['sys.document', 'sys.order_content'] as const)
    count += await convertContents(services, keys, table)
  return count
}

function convertContents(
  services: Converting,
  keys: Keys,
  table: 'sys.document' | 'sys.order_content',
): Promise<number> {
  return convertJson<DocumentContent>(services, {
    table,
    column: 'content',
    where: sql`true`,
    isDone: ({ student: { idNumber } }) => idNumber === null || isCurrent(keys, idNumber),
    convert: (content) => sealedContent(keys, openedContent(keys, content)),
  })
}

interface JsonColumn<Value> {
  readonly table: 'sys.row_history' | 'sys.document' | 'sys.order_content'
  readonly column: 'changes' | 'content'
  readonly where: ReturnType<typeof sql>
  readonly isDone: (value: Value) => boolean
  readonly convert: (value: Value) => Value
}

/** Goes through the rows by id; a repeated run skips what is done. */
async function convertJson<Value>(
  services: Converting,
  column: JsonColumn<Value>,
): Promise<number> {
  let count = 0
  for (const tenant of await schoolsIn(services, column.table))
    count += await convertJsonColumn(services, column, tenant)
  return count
}

async function convertJsonColumn<Value>(
  { database: { kysely } }: Converting,
  { table, column, where, isDone, convert }: JsonColumn<Value>,
  tenant: string,
): Promise<number> {
  let [after, count] = ['0', 0]
  for (;;) {
    const found = await transact(kysely, async (trx) => {
      const { rows } = await sql<{ id: string; value: Value }>`
        select id::text as id, ${sql.ref(column)} as value from ${sql.table(table)}
        where tenant_id = ${tenant}::int8 and id > ${after}::int8 and ${where} order by id limit ${batch}`.execute(
        trx,
      )
      const open = rows.filter(({ value }) => !isDone(value))
      if (open.length > 0)
        await sql`
          update ${sql.table(table)} as t set ${sql.ref(column)} = u.value
          from unnest(${open.map(({ id }) => id)}::int8[],
            ${open.map(({ value }) => JSON.stringify(convert(value)))}::jsonb[]) as u(id, value)
          where t.tenant_id = ${tenant}::int8 and t.id = u.id`.execute(trx)
      return { last: rows.at(-1)?.id, read: rows.length, changed: open.length }
    })
    count += found.changed
    if (found.read < batch || found.last === undefined) return count
    after = found.last
  }
}
