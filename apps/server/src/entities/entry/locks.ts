// Submitted entry sheets: their rows take no write until someone with the right opens the sheet again
// (docs/rules/contract.md#entry-sheets).
import { type DictItem, isEmpty, type WireValue } from '@jiaowu/api'
import { sql } from 'kysely'
import { wholeAccess } from '../../access/access.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type LoadedEntity, type LoadedField, valueFields } from '../definition/loaded.ts'
import { withIds } from '../read/row.ts'
import { type AnyDatabase, fromTable, type RawRow, rowReader, selectList } from '../read/rows.ts'
import type { Change } from '../write/values/values.ts'

interface WrittenRow {
  /** Null for a new row. */
  readonly id: string | null
  readonly changes: readonly Change[]
}

/** The fields whose values name a sheet; none for an entity without sheets. */
export function sheetFields(entity: LoadedEntity): LoadedField[] {
  const names = entity.definition.options.entry?.by ?? []
  const fields = names.flatMap(
    (name) => valueFields(entity).find(({ definition }) => definition.attrName === name) ?? [],
  )
  // A definition whose fields have drifted from its table names no sheet.
  return fields.length === names.length ? fields : []
}

/** The name of a sheet; null when a value is missing: such rows are in no sheet. */
export function sheetOf(
  fields: readonly LoadedField[],
  valueOf: (attrName: string) => WireValue | undefined,
): string | null {
  const values = fields.map(({ definition }) => plain(valueOf(definition.attrName)))
  return values.some((value) => value === null) ? null : JSON.stringify(values)
}

function plain(value: WireValue | undefined): string | null {
  if (value === undefined || isEmpty(value)) return null
  return Array.isArray(value)
    ? value
        .map(({ id }: DictItem) => id)
        .toSorted()
        .join()
    : String(value)
}

/** Held shared by writers and alone by who submits: no write slips past the lock of its sheet. */
export async function holdSheets(
  trx: AnyDatabase,
  { tenant, tag }: { readonly tenant: string; readonly tag: string },
  isAlone: boolean,
): Promise<void> {
  const key = sql`hashtextextended(${`entry ${tenant} ${tag}`}::text, 0)`
  await (
    isAlone
      ? sql`select pg_advisory_xact_lock(${key})`
      : sql`select pg_advisory_xact_lock_shared(${key})`
  ).execute(trx)
}

/** Of each row whether a submitted sheet has it, before or after its changes. */
export async function lockedRows(
  trx: AnyDatabase,
  { subject: { tenant } }: Pick<Context, 'subject'>,
  entity: LoadedEntity,
  rows: readonly WrittenRow[],
): Promise<readonly boolean[]> {
  const fields = sheetFields(entity)
  const none = rows.map(() => false)
  if (fields.length === 0 || rows.length === 0) return none
  await holdSheets(trx, { tenant, tag: entity.tag }, false)
  const { rows: found } = await sql<{ sheet: string }>`
    select sheet from sys.entry_lock
    where tenant_id = ${tenant}::int8 and tag = ${entity.tag}::text`.execute(trx)
  if (found.length === 0) return none
  const locked = new Set(found.map(({ sheet }) => sheet))
  const access = wholeAccess(entity, tenant)
  const ids = rows.flatMap(({ id }) => id ?? [])
  const { rows: raws } =
    ids.length === 0
      ? { rows: [] }
      : await sql<RawRow>`
          select ${selectList(access, fields)} from ${fromTable(entity)}
          where ${withIds(access, ids)}`.execute(trx)
  const read = rowReader(access, fields, 'any', 'stored')
  const stored = new Map(raws.map((raw) => [String(raw.id), read(raw)]))
  return rows.map(({ id, changes }) => {
    const before = stored.get(id ?? '')
    const changed = new Map(changes.map(({ field, value }) => [field.definition.attrName, value]))
    const sheets = [
      sheetOf(fields, (name) => before?.[name]),
      sheetOf(fields, (name) => (changed.has(name) ? changed.get(name) : before?.[name])),
    ]
    return sheets.some((sheet) => sheet !== null && locked.has(sheet))
  })
}

/** Rows that are deleted or restored as they are. */
export function unchanged(ids: readonly string[]): readonly WrittenRow[] {
  return ids.map((id) => ({ id, changes: [] }))
}

/** @throws Refusal 409 */
export async function assertUnlocked(
  trx: AnyDatabase,
  context: Pick<Context, 'subject'>,
  entity: LoadedEntity,
  rows: readonly WrittenRow[],
): Promise<void> {
  if ((await lockedRows(trx, context, entity, rows)).includes(true))
    throw new Refusal(409, { key: 'entry.locked' })
}
