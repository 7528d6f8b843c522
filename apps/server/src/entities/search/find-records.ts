// Finds records of all entities by name and number, and names records (docs/rules/contract.md#search).
import type { FoundRecord } from '@jiaowu/api/contract/entity/search'
import { limits } from '@jiaowu/api/limits'
import { sql } from 'kysely'
import { type EntityAccess, isAllowed } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { entityName, type LoadedField } from '../../model/definition/loaded.ts'
import { allOf, type Condition } from '../../model/definition/names.ts'
import { parseSubtitlePattern } from '../../model/definition/title-pattern.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { labelRows } from '../read/labels.ts'
import { compileQuery, fromPlan, orderBy } from '../read/query.ts'
import { withIds } from '../read/row.ts'
import { type RawRow, rowReader, selectList } from '../read/rows.ts'
import { fillSubtitle, rowTitle, titleFields } from '../read/titles.ts'
import { guardReading } from '../read/unreadable.ts'
import { loadSearchedAccesses, viewAccess } from './searched-entities.ts'
import { buildSearchLeaves, listSearchedFields } from './searched-fields.ts'
import { isSmallTable } from './small-table.ts'

/**
 * Records with the text in their names, or at the beginning of a unique value, in the order of the menu; a
 * record that the text names in full comes before all others.
 */
export async function findRecords(context: Context, searchKey: string): Promise<FoundRecord[]> {
  const wanted = searchKey.trim()
  if (wanted === '' || wanted.includes('\u0000')) return []
  const found: FoundRecord[] = []
  // Rows of the platform, such as its calls, are no records of a school.
  for (const access of await loadSearchedAccesses(context))
    if (!access.entity.isOfPlatform) found.push(...(await findInEntity(context, access, wanted)))
  const isExact = ({ title }: FoundRecord) => title.split(/[\s·]+/).includes(wanted)
  return [...found.filter(isExact), ...found.filter((each) => !isExact(each))]
}

async function findInEntity(
  context: Context,
  access: EntityAccess,
  wanted: string,
): Promise<FoundRecord[]> {
  const { names, numbers } = listSearchedFields(access)
  const isSearched = await isSmallTable(context, access.entity)
  const { bigrams } = access.entity.table
  // Parts of texts without an index of their pairs are looked for in small tables alone.
  const cheap = names.filter(
    ({ column }) => isSearched || (wanted.length > 1 && bigrams?.has(column?.name ?? '') === true),
  )
  const leaves = buildSearchLeaves({ names: cheap, numbers }, wanted)
  if (leaves.length === 0) return []
  const fields = namingFields(access)
  const rows = await readOrNone(context, access, async () => {
    const plan = compileQuery(access, { queries: {}, sorts: [], where: { or: leaves } })
    const { where, order } = plan
    const found = await sql<RawRow>`
      select ${selectList(access, fields)} from ${fromPlan(plan)}
      where ${where} order by ${orderBy(order)} limit ${limits.searchHits}`.execute(
      databaseOf(context),
    )
    return found.rows
  })
  return await nameRows(context, access, fields, rows)
}

/** The records in the order asked for, without those that the caller may not view. */
export async function titleRecords(
  context: Context,
  asked: readonly { readonly tag: string; readonly id: string }[],
): Promise<FoundRecord[]> {
  const found = new Map<string, FoundRecord>()
  for (const [tag, records] of Map.groupBy(asked, (record) => record.tag)) {
    const access = await viewAccess(context, tag)
    if (access === null) continue
    const ids = [...new Set(records.map(({ id }) => id))]
    for (const record of await readTitled(context, access, withIds(access, ids)))
      found.set(`${tag}/${record.id}`, record)
  }
  return asked.flatMap(({ tag, id }) => found.get(`${tag}/${id}`) ?? [])
}

async function readTitled(
  context: Context,
  access: EntityAccess,
  chosen: Condition,
): Promise<FoundRecord[]> {
  const fields = namingFields(access)
  const rows = await readOrNone(context, access, async () => {
    const found = await sql<RawRow>`
      select ${selectList(access, fields)} from ${fromTable(access.entity)}
      where ${allOf([access.rows, chosen])}`.execute(databaseOf(context))
    return found.rows
  })
  return await nameRows(context, access, fields, rows)
}

/** A table that cannot be read has no hits; the others are searched. */
async function readOrNone(
  context: Context,
  { entity }: EntityAccess,
  read: () => Promise<RawRow[]>,
): Promise<RawRow[]> {
  try {
    return await guardReading(context, entity, read)
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

/** The fields of the title and of the second line that the caller may read. */
function namingFields(access: EntityAccess): LoadedField[] {
  const { entity } = access
  return [
    ...new Set([...titleFields(entity), ...(parseSubtitlePattern(entity)?.fields ?? [])]),
  ].filter((field) => field.column !== null && isAllowed(access, field, 'detail'))
}

async function nameRows(
  context: Context,
  access: EntityAccess,
  fields: readonly LoadedField[],
  raw: readonly RawRow[],
): Promise<FoundRecord[]> {
  const rows = await labelRows(context, fields, raw.map(rowReader(access, fields, 'detail')))
  return rows.map((row) => ({
    tag: access.entity.tag,
    id: row.id,
    entity: entityName(access.entity, context.locale),
    title: rowTitle(context, access, row),
    note: fillSubtitle(context, access, row),
  }))
}
