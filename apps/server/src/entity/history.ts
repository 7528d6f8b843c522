// What became of a row: who changed which field from what to what. Kept beside the audit log, which holds no values (security L1), written in
// the change's own transaction, and read only as far as the reader may see the row's fields now.
import { type FieldChange, type HistoryAction, type HistoryEntry, isEmpty, type Row, type RowHistory, type WireValue } from '@jiaowu/api'
import { sql } from 'kysely'
import * as v from 'valibot'
import type { Context } from '../context.ts'
import { type EntityAccess } from './access.ts'
import { labelRows } from './labels.ts'
import { localTime } from './local-time.ts'
import type { LoadedEntity, LoadedField } from './loaded.ts'
import { detailFields, selectRow } from './row.ts'
import { type AnyDatabase, databaseOf } from './rows.ts'
import { notFound } from '../refusal.ts'
import type { Change } from './values.ts'

const entriesRead = 200

/** What is kept of values: a choice is its ids, for names change. */
const bare = (field: LoadedField, value: WireValue): WireValue => (field.kind.family === 'choice' && Array.isArray(value) ? value.map(({ id }: { readonly id: string }) => ({ id, name: '' })) : value)

/** The changes with the values before them; a password leaves no trace here. */
export const fieldChanges = (changes: readonly Change[], before: Row | null): FieldChange[] =>
  changes.filter(({ field, value }) => field.definition.uiType !== 'password' && !(before === null && isEmpty(value)))
    .map(({ field, value }) => ({ attrName: field.definition.attrName, from: bare(field, before?.[field.definition.attrName] ?? null), to: bare(field, value) }))

/** Appends one line per row, in the transaction of the change itself. */
export const recordHistory = async (db: AnyDatabase, { newId, subject, now }: Context, entity: LoadedEntity, ids: readonly string[], action: HistoryAction, changes: readonly FieldChange[] = []): Promise<void> => {
  if (action === 'update' && changes.length === 0) return
  const [at, text] = [now().toISOString(), JSON.stringify(changes)]
  for (const id of ids) {
    await sql`insert into sys.row_history (id, tenant_id, tag, row_id, action, at, user_id, changes)
      values (${newId()}::int8, ${subject.tenant}::int8, ${entity.tag}::text, ${id}::text, ${action}::text, ${at}::timestamptz, ${subject.userId}::int8, ${text}::jsonb)`.execute(db)
  }
}

interface Line { readonly id: string; readonly action: HistoryAction; readonly at: string; readonly user_id: string | null; readonly user_name: string | null; readonly changes: readonly FieldChange[] }

const readLines = async (context: Context, { tag }: LoadedEntity, id: string): Promise<readonly Line[]> => (await sql<Line>`
  select h.id::text as id, h.action, h.at, h.user_id::text as user_id, u.name as user_name, h.changes from sys.row_history h left join sys.app_user u on u.id = h.user_id
  where h.tenant_id = ${context.subject.tenant}::int8 and h.tag = ${tag}::text and h.row_id = ${id}::text order by h.id desc limit ${entriesRead + 1}`.execute(databaseOf(context))).rows

/** A value that the field's kind of today cannot read is no value of it. */
const readable = (field: LoadedField, value: WireValue): WireValue => {
  const parsed = v.safeParse(field.kind.value, value)
  return parsed.success ? (parsed.output as WireValue) : null
}

/** Both sides of every change with the names of their choices. */
const labelled = async (context: Context, fields: readonly LoadedField[], lines: readonly Line[]): Promise<readonly (readonly FieldChange[])[]> => {
  const byName = new Map(fields.map((field) => [field.definition.attrName, field]))
  const kept = lines.map(({ changes }) => changes.flatMap((change) => { const field = byName.get(change.attrName); return field === undefined ? [] : [{ ...change, from: readable(field, change.from), to: readable(field, change.to) }] }))
  const side = (changes: readonly FieldChange[], which: 'from' | 'to'): Row => ({ id: '', ...Object.fromEntries(changes.map((change) => [change.attrName, change[which]])) })
  const [from, to] = [await labelRows(context, fields, kept.map((changes) => side(changes, 'from'))), await labelRows(context, fields, kept.map((changes) => side(changes, 'to')))]
  return kept.map((changes, i) => changes.map(({ attrName }) => ({ attrName, from: from[i]?.[attrName] ?? null, to: to[i]?.[attrName] ?? null })))
}

/** The latest changes of a row, newest first. A change of nothing the caller may see is no entry. @throws Refusal 404 */
export const historyOf = async (context: Context, access: EntityAccess, id: string): Promise<RowHistory> => {
  const all = detailFields(access)
  const row = await selectRow(databaseOf(context), access, all, id)
  if (row === undefined) throw notFound()
  const fields = all.filter(({ definition }) => definition.attrName in row)
  const found = await readLines(context, access.entity, id)
  const lines = found.slice(0, entriesRead)
  const changes = await labelled(context, fields, lines)
  const entries = lines.map(({ id: entryId, action, at, user_id, user_name }, i): HistoryEntry => ({ id: entryId, action, at: localTime(new Date(at)), user: user_id === null ? null : { id: user_id, name: user_name ?? user_id }, changes: changes[i] ?? [] }))
  return { row: (await labelRows(context, fields, [row]))[0] ?? row, entries: entries.filter((entry) => entry.action !== 'update' || entry.changes.length > 0), complete: found.length <= entriesRead }
}
