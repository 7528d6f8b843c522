// Relations of schemas that declare no foreign keys: a column that is called as the key of a table, and
// whose stored values are all there, probably refers to it. They are proposed, never assumed.
import { toSnakeCase } from '@jiaowu/api/entity/definition/secret-names'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { identifier, tableName } from '../../model/definition/names.ts'
import { type Column, familyOf } from '../../model/fields/column.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { type ForeignKey, type InspectedTable, type ListedTable, ofSchool } from './inspect.ts'

/** A relation by name, with the number of stored values that were found in its target. */
export interface NameLink extends ForeignKey {
  readonly values: number
}

interface Candidate {
  readonly table: InspectedTable
  readonly column: string
  readonly target: ListedTable
  readonly key: string
  /** Without a stored value, the name alone does not tell it. */
  readonly needsValues: boolean
}

/** Rows whose values are looked for in the target. */
const looked = 100_000
const linksPerStatement = 50

/** By table, the relations that its columns could be, to those tables that have or get an entity. */
export async function findNameLinks(
  context: Context,
  tables: readonly InspectedTable[],
  targets: readonly ListedTable[],
): Promise<ReadonlyMap<InspectedTable, readonly NameLink[]>> {
  const candidates = tables.flatMap((table) => listCandidates(table, targets))
  const found: { readonly table: InspectedTable; readonly link: NameLink }[] = []
  for (let i = 0; i < candidates.length; i += linksPerStatement) {
    const part = candidates.slice(i, i + linksPerStatement)
    const counts = await countValues(context, part)
    for (const [at, { table, column, target, key, needsValues }] of part.entries()) {
      const values = counts.get(at) ?? null
      if (values === null || (values === 0 && needsValues)) continue
      const link = { columns: [column], schema: target.schema, table: target.name, targets: [key] }
      found.push({ table, link: { ...link, besides: [], values } })
    }
  }
  return new Map(
    [...Map.groupBy(found, ({ table }) => table)].map(([table, its]) => [
      table,
      its.map(({ link }) => link),
    ]),
  )
}

function listCandidates(
  table: InspectedTable,
  targets: readonly ListedTable[],
): readonly Candidate[] {
  if (table.catalog.kind !== 'table') return []
  const linked = new Set(table.links.flatMap(({ columns }) => columns))
  const [ownKey, ...more] = keyColumns(table)
  return table.columns.flatMap((column) => {
    const isOwnKey = more.length === 0 && column.name === ownKey
    if (linked.has(column.name) || isOwnKey || isKept(column.name) || column.labels.length > 0)
      return []
    const found =
      findParent(table, column, ownKey, more.length === 0) ??
      findByKey(table, column, targets) ??
      findByTable(table, column, targets)
    return found === undefined ? [] : [{ table, column: column.name, ...found }]
  })
}

/** The key of a table by the catalog alone. */
function keyColumns({
  catalog: { keySets = [] },
}: Pick<ListedTable, 'catalog'>): readonly string[] {
  const [primary = []] = keySets
  return primary.length === 1 ? primary : (keySets.find(({ length }) => length === 1) ?? primary)
}

/** Columns with a meaning of their own. */
const isKept = (name: string) =>
  /^tenant_?id$|^(create|created|creator|update|updated|updater|modified)(_?(by|user|id))?$/i.test(
    name,
  )

type Target = Pick<Candidate, 'target' | 'key' | 'needsValues'>

function findParent(
  table: InspectedTable,
  column: Column,
  ownKey: string | undefined,
  isPlain: boolean,
): Target | undefined {
  const key = table.catalog.columns.get(ownKey ?? '')
  return isPlain &&
    /^(parent|parent_?id|pid|p_id|parent_?(no|code)|superior_?id)$/i.test(column.name) &&
    ownKey !== undefined &&
    fits(column, key)
    ? { target: { ...table, oid: 0 }, key: ownKey, needsValues: false }
    : undefined
}

/** `dept_id` where one other table has `dept_id` as its key, or `course_number` as a unique column. */
function findByKey(
  table: InspectedTable,
  column: Column,
  targets: readonly ListedTable[],
): Target | undefined {
  const name = column.name.toLowerCase()
  const stem = columnStem(column.name)
  if (plainNames.has(name)) return undefined
  const isText = comparedAs(column) === 'text'
  const found = targets.flatMap((target) => {
    if (target.schema !== table.schema || target.name === table.name) return []
    const key = [...target.catalog.uniques.values()]
      .filter(({ length }) => length === 1)
      .flat()
      .find((each) => each.toLowerCase() === name)
    // Small numbers are in every table: the name of the table must tell it as well.
    const isClear = isNamed(target.name, stem) || isRelated(table, target)
    const isTold = isClear || isText || isInitial(target, stem)
    return key !== undefined && isTold && fits(column, target.catalog.columns.get(key))
      ? [{ target, key, needsValues: !isClear || isVague(stem, table, target) }]
      : []
  })
  return found.length === 1
    ? found[0]
    : pickNearest(
        table,
        found.filter(({ target }) => isNamed(target.name, stem)),
      )
}

/** Tables of one part of a schema, such as `food_service_menus` and `food_service_items`. */
const isRelated = (table: Named, target: Named) => {
  const [first = '', second = ''] = table.name.split('_')
  return second !== '' && target.name.startsWith(`${first}_`)
}
type Named = Pick<InspectedTable, 'name'>

/** `sid` of a table `student`, or `student_id` of a table `student_profile`. */
const isInitial = ({ name }: Named, stem: string) =>
  stem !== '' && name.split('_').some((part) => part.toLowerCase().startsWith(stem))

/** Words that many tables end with, where no value tells which of them is meant. */
const isVague = (stem: string, table: Named, target: Named) =>
  /^(category|type|group|item|level|status|kind|config|field|option|comment|source|target|owner|class)$/.test(
    stem,
  ) && table.name.split('_')[0] !== target.name.split('_')[0]

const plainNames = new Set(
  'id code name no number num key uuid uid type status sort order title email mail phone mobile username account ip url path date year'.split(
    ' ',
  ),
)

/** `student_id` where a table `student`, `students` or `t_student` has the key `id`. */
function findByTable(
  table: InspectedTable,
  column: Column,
  targets: readonly ListedTable[],
): Target | undefined {
  const stem = columnStem(column.name)
  if (stem === '' || stem === column.name.toLowerCase()) return undefined
  const [last = stem] = stem.split('_').slice(-1)
  const part = targets.filter(({ name }) => name === `${table.name}_${stem}`)
  for (const [word, among] of [
    [stem, part],
    [stem, targets],
    [last, targets],
  ] as const) {
    const found = among.flatMap((target) => {
      const [key = '', ...more] = keyColumns(target)
      const isKey = /^(id|code|no|number|uuid)$/i.test(key) || columnStem(key) === word
      return target.schema === table.schema &&
        target.name !== table.name &&
        more.length === 0 &&
        isKey &&
        (among === part || isNamed(target.name, word)) &&
        fits(column, target.catalog.columns.get(key))
        ? [{ target, key, needsValues: word !== stem || isVague(word, table, target) }]
        : []
    })
    const nearest = pickNearest(table, found)
    if (nearest !== undefined) return nearest
  }
  return undefined
}

/** The one whose name begins as that of the table, else the only one. */
function pickNearest(table: InspectedTable, found: readonly Target[]): Target | undefined {
  if (found.length <= 1) return found[0]
  const prefix = table.name.split('_')[0] ?? ''
  const near = found.filter(({ target }) => target.name.split('_')[0] === prefix)
  return near.length === 1 ? near[0] : undefined
}

/** `studentId`, `student_no` → student; a name without such an end is empty. */
function columnStem(name: string): string {
  const snake = toSnakeCase(name).toLowerCase()
  return /^(.+?)_?(?:id|no|code|number)$/.exec(snake)?.[1] ?? ''
}

/** Whether a table is called by a word: `sys_dept`, `departments` and `t_dept` by dept, department, dept. */
function isNamed(table: string, word: string): boolean {
  if (word === '' || /^(history|hist|log|tmp|temp|bak|backup|old|archive)_/.test(table))
    return false
  const parts = toSnakeCase(table).toLowerCase().split('_')
  const ends = parts.map((_part, at) => parts.slice(at).join('_'))
  // A longer name than a prefix and the word is another thing: `user_role` is no role.
  return ends.slice(0, 2).some((end) => [end, singular(end)].includes(word)) && parts.length < 5
}

const singular = (name: string) =>
  name
    .replace(/people$/, 'person')
    .replace(/ies$/, 'y')
    .replace(/(s|x|z|ch|sh)es$/, '$1')
    .replace(/s$/, '')

/** Values that can be compared. */
function fits(column: Column, key: Column | undefined): boolean {
  const kinds = [column, key].map((each) => (each === undefined ? '' : comparedAs(each)))
  return kinds[0] !== '' && kinds[0] === kinds[1]
}

function comparedAs(column: Column): string {
  const family = familyOf(column) ?? ''
  return family === 'integer' || family === 'text' ? family : column.type === 'uuid' ? 'uuid' : ''
}

/** For each candidate, how many values were looked at; left out where one is not in the target. */
async function countValues(
  context: Context,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<number, number>> {
  const { tenant } = context.subject
  const { rows } = await sql<{ at: number; n: number; strays: boolean }>`
    ${sql.join(
      candidates.map((each, at) => selectValues(each, at, tenant)),
      sql` union all `,
    )}`.execute(databaseOf(context))
  return new Map(rows.flatMap(({ at, n, strays }) => (strays ? [] : [[at, n] as const])))
}

function selectValues(
  { table, column, target, key }: Candidate,
  at: number,
  tenant: string,
): RawBuilder<unknown> {
  const found = table.catalog.columns.get(column)
  const isText = found !== undefined && familyOf(found) === 'text'
  const cast = isText ? sql`::text` : sql``
  // An empty text and the 0 at the root of a tree stand for no record.
  const isTree = target.name === table.name && target.schema === table.schema
  const nothing = [...(isText ? [''] : []), ...(isTree ? ['0'] : [])]
  return sql`(with looked as (
      select value from (
        select ${identifier(column)}${cast} as value
        from ${tableName(table.schema, table.name)} ${ofSchool(table.catalog, tenant)} limit ${looked}
      ) as first
      where value is not null and not value::text = any(${nothing}::text[])
    ), known as (
      select ${identifier(key)}${cast} as value
      from ${tableName(target.schema, target.name)} ${ofSchool(target.catalog, tenant)}
    )
    select ${at}::int4 as at, (select count(*) from looked)::int4 as n, exists (
      select 1 from looked where not exists (select 1 from known where known.value = looked.value)
    ) as strays)`
}
