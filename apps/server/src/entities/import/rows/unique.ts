// Finds violations of unique constraints before the database refuses them, and the row that already
// has the value.
import type { DictItem, Row, WireValue } from '@jiaowu/api/entity/values'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { sql } from 'kysely'
import { baseRows } from '../../../access/access.ts'
import type { LoadedEntity, LoadedField } from '../../../model/definition/loaded.ts'
import { allOf, columnRef, identifier } from '../../../model/definition/names.ts'
import { idText } from '../../../model/definition/row-key.ts'
import type { JobKey, Payload } from '../../jobs/job.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import { type AnyDatabase, databaseOf } from '../../../platform/database/any-database.ts'
import { chooseCast } from '../../../model/fields/column.ts'
import type { Draft as PlanDraft, Plan, Uniques } from './draft.ts'
import { openValue } from './payload.ts'

export function createUniques(entity: LoadedEntity): Uniques {
  const rows = new Map<string, number>()
  const byColumn = new Map(
    entity.fields.flatMap((field) =>
      field.column === null ? [] : [[field.column.name, field] as const],
    ),
  )
  const sets = [...entity.table.uniques.values()]
    .map((columns) => columns.filter((name) => name !== 'tenant_id').toSorted())
    // Constraints on columns that are not fields are left to the database.
    .filter(
      (columns, i, all) =>
        columns.length > 0 &&
        (entity.key.length !== 1 || entity.typesKey || columns.join() !== entity.id.name) &&
        columns.every((name) => byColumn.has(name)) &&
        all.findIndex((other) => other.join() === columns.join()) === i,
    )
    .map((columns) => columns.flatMap((name) => byColumn.get(name) ?? []))
  return {
    sets,
    seen: (key, row) => {
      const first = rows.get(key)
      if (first === undefined) rows.set(key, row)
      return first === undefined || first === row ? null : first
    },
  }
}

/**
 * Makes known what the valid rows of the file hold, except those that are checked again: a row that
 * is checked by itself must still differ from them.
 */
export async function primeUniques(
  { uniques, keyColumn, context: { keys } }: Pick<Plan, 'uniques' | 'keyColumn' | 'context'>,
  db: AnyDatabase,
  job: JobKey,
  again: ReadonlySet<number>,
): Promise<void> {
  const fields = new Set([...uniques.sets.flat(), ...(keyColumn === null ? [] : [keyColumn.field])])
  if (fields.size === 0) return
  const names = [...fields].map(({ definition }) => definition.attrName)
  const { rows } = await sql<{ row_no: number; payload: Payload }>`
    select r.row_no, coalesce((select jsonb_object_agg(p.key, p.value) from jsonb_each(r.payload) p
      where p.key = any(${names}::text[])), '{}'::jsonb) as payload
    from sys.job_row r where r.tenant_id = ${job.tenant_id}::int8 and r.job_id = ${job.id}::int8
      and r.verdict in ('f', 'c') order by r.row_no`.execute(db)
  for (const { row_no, payload } of rows) {
    if (again.has(row_no)) continue
    const textOf = (field: LoadedField) => {
      const value = payload[field.definition.attrName]
      return value === undefined ? null : toUniqueText(field, openValue(field, value, keys))
    }
    for (const [index, set] of uniques.sets.entries()) {
      const values = set.map(textOf)
      if (!values.includes(null)) uniques.seen(`${index} ${values.join('\u0000')}`, row_no)
    }
    const key = keyColumn === null ? null : textOf(keyColumn.field)
    if (key !== null) uniques.seen(`key ${key}`, row_no)
  }
}

/** The values of a row after the change, with its number. */
type Judged = Pick<PlanDraft, 'changes'> & {
  readonly stored: { readonly row: Row } | null
  readonly raw: { readonly row: number }
}
interface Taken<Draft> {
  readonly draft: Draft
  readonly attrName: string
  readonly firstRow: number | null
}

/** Drafts whose new values belong to another record or to another row of the file. */
export async function findTaken<Draft extends Judged>(
  { entity, uniques, context }: Pick<Plan, 'entity' | 'uniques' | 'context'>,
  drafts: readonly Draft[],
): Promise<Taken<Draft>[]> {
  const taken: Taken<Draft>[] = []
  for (const [index, fields] of uniques.sets.entries()) {
    const wanted = drafts.flatMap((draft) => {
      const valueOf = (field: LoadedField) => {
        const change = draft.changes.find((each) => each.field === field)
        return change === undefined ? draft.stored?.row[field.definition.attrName] : change.value
      }
      if (!draft.changes.some(({ field }) => fields.includes(field))) return []
      const values = fields.map((field) => toUniqueText(field, valueOf(field)))
      return values.includes(null) ? [] : [{ draft, values: values as string[] }]
    })
    const last = fields.at(-1)
    if (wanted.length === 0 || last === undefined) continue
    const [first] = fields
    const at = first ?? last
    const { rows } = await sql<Record<string, string>>`
      select ${idText(entity)} as id,
        ${sql.join(fields.map((field, i) => sql`${columnRef(comparedColumn(field))}::text as ${sql.id(`v${i}`)}`))}
      from ${fromTable(entity)}
        join unnest(${sql.join(fields.map((_field, i) => sql`${wanted.map(({ values }) => values[i])}::text[]`))}) as u(${sql.join(fields.map((_field, i) => identifier(`w${i}`)))})
      on ${allOf(fields.map((field, i) => sql`${columnRef(comparedColumn(field))} = u.${identifier(`w${i}`)}::${sql.raw(chooseCast(field.column ?? entity.id))}`))}
      where ${baseRows(entity, context.subject.tenant)}`.execute(databaseOf(context))
    const owners = new Map(
      rows.map((row) => [fields.map((_field, i) => row[`v${i}`]).join('\u0000'), row.id]),
    )
    for (const { draft, values } of wanted) {
      const key = values.join('\u0000')
      const owner = owners.get(key)
      const { attrName } = at.definition
      if (owner !== undefined && owner !== draft.stored?.row.id)
        taken.push({ draft, attrName, firstRow: null })
      else {
        const firstRow = uniques.seen(`${index} ${key}`, draft.raw.row)
        if (firstRow !== null) taken.push({ draft, attrName, firstRow })
      }
    }
  }
  return taken
}

/** The column in which equal values are equal: of an encrypted one, its blind index. */
function comparedColumn({ column, sealer }: LoadedField): string {
  return sealer?.index ?? column?.name ?? ''
}

function toUniqueText(
  { storage, column, sealer }: LoadedField,
  value: WireValue | undefined,
): string | null {
  if (column === null || isEmpty(value)) return null
  const text = storage.store(value as WireValue, column)
  if (sealer !== null && typeof text === 'string') return sealer.blind(text)
  return text === null
    ? null
    : Array.isArray(text)
      ? (text as readonly DictItem[]).join()
      : String(text)
}
