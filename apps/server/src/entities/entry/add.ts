// Adds the rows of an entry sheet: one for each record of a relation, such as the students of a class
// (docs/rules/contract.md#entry-sheets).
import type { DictItem, WireValue } from '@jiaowu/api/entity/values'
import type { EntryAddition } from '@jiaowu/api/contract/entity/entry'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { limits } from '@jiaowu/api/limits'
import { messageText } from '@jiaowu/api/texts/index'
import { sql } from 'kysely'
import { accessTo, wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { Invalid, notFound, Refusal } from '../../platform/refusal.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { loadRelation } from '../../model/definition/relation.ts'
import { loadPage } from '../read/page.ts'
import { compileQuery, buildFilterFault, unknownField } from '../read/query.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { buildFilterTarget } from '../read/target.ts'
import { createRow } from '../write/write.ts'
import { type Asked, askedFor, type By, loadEntryState, wholeRows } from './sheet.ts'

/** Refused records that are named in the answer. */
const named = 20

/** The sheet has a row of the record by now. */
class IsThere extends Error {}

/** @throws Refusal 403, 404, 409; Invalid */
export async function addToEntry(
  context: Context,
  entity: LoadedEntity,
  by: By,
  from: By,
): Promise<EntryAddition> {
  const asked = await askedFor(context, entity, by)
  await accessTo(context, entity, 'add')
  const { add } = entity.definition.options.entry ?? {}
  const field = entity.field(add?.field ?? '')
  if (add === undefined || field === undefined) throw notFound()
  if ((await loadEntryState(databaseOf(context), asked)).locked !== null)
    throw new Refusal(409, { key: 'entry.locked' })
  const records = await recordsFor(context, field, add.from, from)
  const counts = { added: 0, there: 0 }
  const refused: { name: string; msg: string }[] = []
  for (const record of records) {
    try {
      await addRow(asked, field, record)
      counts.added += 1
    } catch (error) {
      if (error instanceof IsThere) counts.there += 1
      else refused.push({ name: record.name, msg: formatReason(context, error) })
    }
  }
  return {
    ...counts,
    refused: refused.slice(0, named),
    refusals: refused.length,
  }
}

/** The records with these values that the caller may see. @throws Refusal 403, 409; Invalid */
async function recordsFor(
  context: Context,
  field: LoadedField,
  names: readonly string[],
  from: By,
): Promise<readonly DictItem[]> {
  const relation = await loadRelation(context, field)
  if (relation === null) throw notFound()
  const { target } = relation
  const unknown = Object.keys(from).filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Invalid(unknown.map((name) => unknownField(`from.${name}`)))
  if (Object.values(from).every(isEmptyValue)) {
    const labels = names.map((name) => target.field(name)?.definition.uiLabel ?? name).join('、')
    throw new Invalid([
      buildFilterFault('from', 'required', { key: 'entry.addNeeds', params: { labels } }),
    ])
  }
  const { records } = await loadPage(context, await accessTo(context, target, 'view'), {
    queries: from,
    sorts: [],
    pageNum: 1,
    pageSize: limits.entryAdd + 1,
    withTotal: false,
  })
  if (records.length > limits.entryAdd)
    throw new Refusal(409, { key: 'entry.tooMany', params: { n: limits.entryAdd } })
  const [label] = relation.labels
  const name = label?.definition.attrName ?? ''
  return records.map((row) => ({ id: row.id, name: String(row[name] ?? row.id) }))
}

function isEmptyValue(value: unknown): boolean {
  return isEmpty(value as WireValue)
}

async function addRow(asked: Asked, field: LoadedField, record: DictItem): Promise<void> {
  const { context, entity, queries } = asked
  const values = { ...queries, [field.definition.attrName]: [record] }
  const check = async (trx: AnyDatabase) => {
    // One addition to a sheet at a time, so that a record gets one row.
    const key = sql`hashtextextended(${`entry add ${context.subject.tenant} ${entity.tag} ${asked.sheet}`}::text, 0)`
    await sql`select pg_advisory_xact_lock(${key})`.execute(trx)
    if (await hasRow(trx, asked, field, record)) throw new IsThere()
  }
  await createRow(context, entity, values, { check })
}

/** Whether the sheet has a row of the record, also one that the caller may not see. */
async function hasRow(
  trx: AnyDatabase,
  asked: Asked,
  field: LoadedField,
  { id }: DictItem,
): Promise<boolean> {
  const whole = wholeRows(asked)
  const { where } = compileQuery(wholeAccess(asked.entity, whole.tenant), {
    queries: asked.queries,
    sorts: [],
  })
  const { rows } = await sql`
    select 1 from ${fromTable(asked.entity)}
    where ${where} and ${whole.rows} and ${buildFilterTarget(whole, field).ref}::text = ${id}::text
    limit 1`.execute(trx)
  return rows.length > 0
}

/** Why a row was refused, in the caller's language. @throws what is no refusal */
function formatReason({ locale }: Context, error: unknown): string {
  if (error instanceof Invalid)
    return error
      .issues(locale)
      .map(({ msg }) => msg)
      .join('; ')
  if (error instanceof Refusal) return messageText(locale, error.text)
  throw error
}
