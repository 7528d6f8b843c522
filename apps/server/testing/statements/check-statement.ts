// Reads SQL and reports each table of schools that a statement does not tie to a school
// (docs/rules/database.md#the-school-in-every-key-and-statement).
import { loadModule, parseSync } from '@pgsql/parser'
import { tablePlacement } from '../../src/platform/database/tables/table-placement.ts'
import { aliasOfSchool, isValue, type Tie, collectTies, tiedAliases } from './ties.ts'
import { isTree, formatAlias, type Tree, treesIn } from './tree.ts'
import { unstableParts } from './unstable.ts'

await loadModule()

/** The fault of a statement. `table` is empty when the fault belongs to none. */
export interface Finding {
  readonly table: string
  readonly fault: string
}

/** With the tables that a definition has given to schools while the tests ran. */
const placements: Record<string, string> = { ...tablePlacement }

/** Has the tables checked from now on whose definition says that their rows belong to schools. */
export function declareAdopted(tables: readonly string[]): void {
  for (const table of tables) placements[table] ??= 'school'
}

/** Nothing when every table of schools in the text is tied to a value of its `tenant_id`. */
export function checkStatement(text: string): Finding[] {
  return statementsIn(text).flatMap(checkTree)
}

/** The parse trees of a text; none when it cannot be parsed, which the database reports itself. */
export function statementsIn(text: string): Tree[] {
  try {
    return (parseSync(text).stmts ?? []).flatMap(({ stmt }) => (isTree(stmt) ? [stmt as Tree] : []))
  } catch {
    return []
  }
}

/** As `checkStatement`, of a parse tree. */
export function checkTree(statement: Tree): Finding[] {
  return checkNode(statement)
}

/** The declared and other tables of a statement, as `schema.table`. */
export function tablesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(tablesIn)
  if (!isTree(value)) return []
  const named = [value['RangeVar'], value['relation']].filter(isTree)
  return [
    ...named.flatMap(({ schemaname, relname }) =>
      schemaname === undefined ? [] : [`${String(schemaname)}.${String(relname)}`],
    ),
    ...Object.values(value).flatMap(tablesIn),
  ]
}

/** Every level of a statement by itself: what a sub-select reads has to be tied inside of it. */
function checkNode(value: unknown): Finding[] {
  if (Array.isArray(value)) return value.flatMap(checkNode)
  if (!isTree(value)) return []
  const { SelectStmt: select, InsertStmt: insert, UpdateStmt: update, DeleteStmt: remove } = value
  if (isTree(select)) return checkSelect(select)
  if (isTree(insert)) return [...checkInsert(insert), ...checkInside(insert, ['relation'])]
  if (isTree(update)) return [...checkUpdate(update), ...checkInside(update, ['relation'])]
  if (isTree(remove)) return [...checkDelete(remove), ...checkInside(remove, ['relation'])]
  if (isTree(value['MergeStmt'])) return [{ table: '', fault: 'merge is not read by this check' }]
  return Object.values(value).flatMap(checkNode)
}

function checkInside(node: Tree, except: readonly string[] = []): Finding[] {
  return Object.entries(node).flatMap(([key, child]) =>
    except.includes(key) ? [] : isBareSelect(key) ? checkBare(child) : checkNode(child),
  )
}

/** The operands of a union are selects without a wrapper. */
const isBareSelect = (key: string): boolean => key === 'larg' || key === 'rarg'
const checkBare = (child: unknown): Finding[] =>
  isTree(child) && ('targetList' in child || 'op' in child) ? checkSelect(child) : checkNode(child)

function checkSelect(select: Tree): Finding[] {
  return [
    ...findUntied(buildLevel(treesIn(select['fromClause']), select['whereClause'])),
    ...checkInside(select),
  ]
}

/** A table of one level, under the name that its columns are called by. */
interface Source {
  readonly alias: string
  /** `schema.table` of a declared table; null for functions, sub-selects and others. */
  readonly table: string | null
}
interface Level {
  readonly sources: readonly Source[]
  readonly ties: readonly Tie[]
}

function buildLevel(from: readonly Tree[], where: unknown, target: readonly Source[] = []): Level {
  const joined = from.map(collectSources)
  const sources = [...target, ...joined.flatMap((each) => each.sources)]
  const resolve = createColumnResolver(sources)
  const ties = [
    ...joined.flatMap(({ conditions }) =>
      conditions.flatMap(({ condition, restricts }) => collectTies(condition, resolve, restricts)),
    ),
    ...collectTies(where, resolve, null),
  ]
  return { sources, ties }
}

interface Joined {
  readonly sources: readonly Source[]
  readonly conditions: readonly {
    readonly condition: unknown
    /** The aliases whose rows the condition removes; null for all. */
    readonly restricts: ReadonlySet<string> | null
  }[]
}

function collectSources(node: Tree): Joined {
  const { RangeVar: range, JoinExpr: join, RangeSubselect: inner } = node
  if (isTree(range)) return { sources: [buildTieSource(range)], conditions: [] }
  if (isTree(join)) {
    const [left, right] = [
      collectSources(toTree(join['larg'])),
      collectSources(toTree(join['rarg'])),
    ]
    const names = (side: Joined) => new Set(side.sources.map(({ alias }) => alias))
    const kinds: Readonly<Record<string, ReadonlySet<string> | null>> = {
      JOIN_INNER: null,
      JOIN_LEFT: names(right),
      JOIN_RIGHT: names(left),
    }
    const restricts = kinds[String(join['jointype'])]
    return {
      sources: [...left.sources, ...right.sources],
      conditions: [
        ...left.conditions,
        ...right.conditions,
        { condition: join['quals'], restricts: restricts === undefined ? new Set() : restricts },
      ],
    }
  }
  return {
    sources: [{ alias: isTree(inner) ? readAlias(inner) : '', table: null }],
    conditions: [],
  }
}

const toTree = (value: unknown): Tree => (isTree(value) ? value : {})
const readAlias = (node: Tree): string =>
  isTree(node['alias']) ? String(node['alias']['aliasname']) : ''

function buildTieSource(range: Tree): Source {
  const [schema, name] = [String(range['schemaname'] ?? ''), String(range['relname'] ?? '')]
  const table = `${schema}.${name}`
  const alias = readAlias(range)
  return { alias: alias === '' ? name : alias, table: table in placements ? table : null }
}

/** `u.tenant_id` and, with one declared table, `tenant_id` → the alias; null for other columns. */
function createColumnResolver(
  sources: readonly Source[],
): (path: readonly string[]) => string | null {
  const holders = sources.filter(({ table }) => table !== null && placements[table] !== 'local')
  return (path) => {
    if (path.at(-1) !== 'tenant_id') return null
    const qualifier = path.at(-2)
    if (qualifier === undefined) return holders.length === 1 ? (holders[0]?.alias ?? null) : null
    return sources.some(({ alias }) => alias === qualifier) ? qualifier : null
  }
}

function findUntied({ sources, ties }: Level): Finding[] {
  const { one, several } = tiedAliases(ties)
  return sources.flatMap(({ alias, table }) => {
    if (table === null || table === 'sys.tenant') return []
    const kind = placements[table]
    if (kind === 'local' || one.has(alias)) return []
    if (kind === 'shared' && several.has(alias)) return []
    return [{ table, fault: `${formatAlias(alias, table)} is not tied to a value of tenant_id` }]
  })
}

function checkInsert(insert: Tree): Finding[] {
  const { table } = buildTieSource(toTree(insert['relation']))
  if (table === null || placements[table] === 'local' || table === 'sys.tenant') return []
  const columns = treesIn(insert['cols']).map((each) => String(toTree(each['ResTarget'])['name']))
  const at = columns.indexOf('tenant_id')
  const faults: string[] = []
  if (at < 0) faults.push('the insert does not list tenant_id')
  else if (!givesSchool(toTree(toTree(insert['selectStmt'])['SelectStmt']), at))
    faults.push('the insert takes tenant_id from elsewhere than a value or a tied table')
  const target = toTree(toTree(insert['onConflictClause'])['infer'])
  const keys = treesIn(target['indexElems']).map((each) => toTree(each['IndexElem'])['name'])
  if (placements[table] === 'school' && keys.length > 0 && !keys.includes('tenant_id'))
    faults.push('"on conflict" names a key without the school')
  return faults.map((fault) => ({ table, fault }))
}

/** Whether each row that a select or a list of values makes has the school at this position. */
function givesSchool(select: Tree, at: number): boolean {
  if (isTree(select['larg']) && isTree(select['rarg']))
    return givesSchool(select['larg'], at) && givesSchool(select['rarg'], at)
  const lists = treesIn(select['valuesLists'])
  if (lists.length > 0)
    return lists.every((list) => isValue(treesIn(toTree(list['List'])['items'])[at]))
  const target = toTree(toTree(treesIn(select['targetList'])[at])['ResTarget'])['val']
  if (isValue(target)) return true
  const { sources, ties } = buildLevel(treesIn(select['fromClause']), select['whereClause'])
  const alias = aliasOfSchool(target, createColumnResolver(sources))
  return alias !== null && tiedAliases(ties).one.has(alias)
}

function checkUpdate(update: Tree): Finding[] {
  const target = buildTieSource(toTree(update['relation']))
  const level = buildLevel(treesIn(update['fromClause']), update['whereClause'], [target])
  const { table } = target
  const isSpread = table !== null && placements[table] === 'school'
  const sets = treesIn(update['targetList']).map((each) => toTree(each['ResTarget'])['name'])
  return [
    ...findUntied(level),
    ...(isSpread && sets.includes('tenant_id')
      ? [{ table, fault: 'an update moves a row to another school' }]
      : []),
    ...(isSpread ? unstable(table, update, ['targetList', 'whereClause']) : []),
  ]
}

function checkDelete(remove: Tree): Finding[] {
  const target = buildTieSource(toTree(remove['relation']))
  const { table } = target
  const isSpread = table !== null && placements[table] === 'school'
  return [
    ...findUntied(buildLevel(treesIn(remove['usingClause']), remove['whereClause'], [target])),
    ...(isSpread ? unstable(table, remove, ['whereClause']) : []),
  ]
}

function unstable(table: string, node: Tree, keys: readonly string[]): Finding[] {
  return keys.flatMap((key) => unstableParts(node[key]).map((fault) => ({ table, fault })))
}
