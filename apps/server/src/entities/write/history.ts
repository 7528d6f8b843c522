// The history of a row: who changed which field, from which value to which. Kept apart from the
// audit log, which contains no values (docs/rules/security.md#l1), and written in the transaction
// of the change. A reader sees the changes of the fields they may see on the row now.
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import type {
  FieldChange,
  HistoryAction,
  HistoryEntry,
  RowHistory,
} from '@jiaowu/api/entity/definition/history'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { maskValue } from '@jiaowu/api/pii'
import type { Row, Values, WireValue } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import * as v from 'valibot'
import type { Context } from '../../model/context.ts'
import { type EntityAccess } from '../../access/access.ts'
import { labelRows } from '../read/labels.ts'
import { localTime } from '../../model/fields/local-time.ts'
import { columnKey } from '../../model/definition/column-key.ts'
import { readAgent, type StoredChange } from '../../model/row-history.ts'
import { type LoadedEntity, type LoadedField } from '../../model/definition/loaded.ts'
import { detailFields, labelRow, selectRow } from '../read/row.ts'
import { notFound } from '../../platform/refusal.ts'
import { type Change, isSameValue } from './values/values.ts'

const maxEntries = 200

/** The changed values with those before, without passwords. */
export function fieldChanges(
  entity: LoadedEntity,
  changes: readonly Change[],
  before: Row | null,
): StoredChange[] {
  return changes
    .filter(
      ({ field, value }) =>
        !field.kind.secret &&
        !(before === null
          ? isEmpty(value)
          : isSameValue(value, before[field.definition.attrName] ?? null)),
    )
    .map(({ field, value }) => ({
      attrName: field.definition.attrName,
      key: columnKey(entity, field),
      from: keptValue(field, before?.[field.definition.attrName] ?? null),
      to: keptValue(field, value),
    }))
}

/** Only the ids of choices, since their names may change; encrypted where the column is. */
function keptValue(field: LoadedField, value: WireValue): WireValue {
  if (field.sealer !== null && typeof value === 'string' && value !== '')
    return field.sealer.seal(value)
  return field.kind.family === 'choice' && Array.isArray(value)
    ? value.map(({ id }: { readonly id: string }) => ({ id, name: '' }))
    : value
}

/** The history of purged rows goes with them. */
export async function deleteHistory(
  db: AnyDatabase,
  { subject: { tenant } }: Context,
  { tag }: LoadedEntity,
  ids: readonly string[],
): Promise<void> {
  await sql`
    delete from sys.row_history
    where tenant_id = ${tenant}::int8 and tag = ${tag}::text
      and row_id = any(${[...ids]}::text[])`.execute(db)
}

interface StoredLine {
  readonly id: string
  readonly action: HistoryAction
  readonly at: string
  readonly user_id: string | null
  readonly user_name: string | null
  readonly changes: readonly StoredChange[]
}

/**
 * The latest changes of a row, newest first, without updates the caller may not see.
 * @throws Refusal 404
 */
export async function loadRowHistory(
  context: Context,
  access: EntityAccess,
  id: string,
): Promise<RowHistory> {
  const all = detailFields(access)
  const row = await selectRow(databaseOf(context), access, all, id)
  if (row === undefined) throw notFound()
  const fields = all.filter(({ definition }) => Object.hasOwn(row, definition.attrName))
  const found = await readLines(context, access.entity, id)
  const lines = found.slice(0, maxEntries)
  const changes = await labelChanges(context, access.entity, { fields, row }, lines)
  const entries = lines.map((line, i): HistoryEntry => {
    const { id: entryId, action, at, user_id, user_name } = line
    const agent = readAgent(line.changes)
    return {
      id: entryId,
      action,
      at: localTime(new Date(at)),
      user: user_id === null ? null : { id: user_id, name: user_name ?? user_id },
      ...(agent !== undefined && { agent }),
      changes: changes[i] ?? [],
    }
  })
  return {
    row: await labelRow(context, access.entity, fields, row),
    entries: entries.filter((entry) => entry.action !== 'update' || entry.changes.length > 0),
    complete: found.length <= maxEntries,
  }
}

async function readLines(
  context: Context,
  { tag }: LoadedEntity,
  id: string,
): Promise<readonly StoredLine[]> {
  const { rows } = await sql<StoredLine>`
    select h.id::text as id, h.action, h.at, h.user_id::text as user_id, u.name as user_name,
      h.changes
    from sys.row_history h 
    left join sys.app_user u on u.tenant_id = h.tenant_id and u.id = h.user_id
    where h.tenant_id = ${context.subject.tenant}::int8 and h.tag = ${tag}::text
      and h.row_id = ${id}::text
    order by h.id desc limit ${maxEntries + 1}`.execute(databaseOf(context))
  return rows
}

/** Adds the names of choices to both sides of every change. */
async function labelChanges(
  context: Context,
  entity: LoadedEntity,
  { fields, row }: { readonly fields: readonly LoadedField[]; readonly row: Row },
  lines: readonly StoredLine[],
): Promise<readonly (readonly FieldChange[])[]> {
  const byKey = new Map(fields.map((field) => [columnKey(entity, field), field]))
  const kept = lines.map(({ changes }) =>
    changes.flatMap((change): FieldChange[] => {
      const field = change.key === undefined ? undefined : byKey.get(change.key)
      return field === undefined
        ? []
        : [
            {
              attrName: field.definition.attrName,
              from: readableValue(field, change.from),
              to: readableValue(field, change.to),
            },
          ]
    }),
  )
  const sides = rebuildSides(fields, row, kept)
  const [from, to] = [
    await labelRows(
      context,
      fields,
      sides.map((each) => each.from),
    ),
    await labelRows(
      context,
      fields,
      sides.map((each) => each.to),
    ),
  ]
  return kept.map((changes, i) =>
    changes.map(({ attrName }) => ({
      attrName,
      from: from[i]?.[attrName] ?? null,
      to: to[i]?.[attrName] ?? null,
    })),
  )
}

/**
 * The rows before and after each change, newest first, as far as labels need them: the changed values, and
 * which entity a relation pointed to then.
 */
function rebuildSides(
  fields: readonly LoadedField[],
  row: Row,
  lines: readonly (readonly FieldChange[])[],
): { readonly from: Row; readonly to: Row }[] {
  const naming = new Set(fields.flatMap(({ namedBy }) => namedBy?.attrName ?? []))
  let names: Values = Object.fromEntries([...naming].map((name) => [name, row[name] ?? null]))
  return lines.map((changes) => {
    const side = (which: 'from' | 'to') =>
      Object.fromEntries(changes.map((change) => [change.attrName, change[which]]))
    const to = { ...names, ...side('to') }
    const before = { ...names, ...side('from') }
    names = Object.fromEntries([...naming].map((name) => [name, before[name] ?? null]))
    return { from: { ...before, id: '' }, to: { ...to, id: '' } }
  })
}

/** Null when the field's current kind cannot read the value. Personal data is masked. */
function readableValue(field: LoadedField, value: WireValue): WireValue {
  const opened =
    field.sealer === null || typeof value !== 'string' ? value : field.sealer.open(value)
  const parsed = v.safeParse(field.kind.value, opened)
  if (!parsed.success) return null
  const readable = parsed.output as WireValue
  return field.pii === null ? readable : maskValue(field.pii, readable)
}
