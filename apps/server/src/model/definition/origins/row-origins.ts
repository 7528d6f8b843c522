// Which rows of tables stand behind the rows of a view, and which columns of the view hold their keys. A row of a
// table that the view only looks for, in `where` and `on`, does not stand behind its rows.
import {
  isNode,
  listIn,
  nodeIn,
  nodesIn,
  numberIn,
  textIn,
  type TreeNode,
  type TreeValue,
} from './node-tree.ts'
import {
  bare,
  listBranches,
  computedBy,
  readExpression,
  joinTypes,
  kindOfRange,
  listOutputs,
  queriesIn,
  rangeKinds,
  listRanges,
  type Scope,
} from './query-tree.ts'
import type { KnownObjects } from './read-objects.ts'

/**
 * A table whose rows stand behind those of a view. A row of the view without such a row, as an outer join makes
 * them, has nulls in these columns.
 */
interface RowOrigin {
  readonly relation: number
  /** By the number of a column of the table, the columns of the view that hold its value for the same row. */
  readonly columns: ReadonlyMap<number, ReadonlySet<number>>
}
export interface RowOrigins {
  readonly origins: readonly RowOrigin[]
  /** Some rows come from where they cannot be followed. */
  readonly isUnknown: boolean
}

const none: RowOrigins = { origins: [], isUnknown: false }

export function rowsOfView(objects: KnownObjects, view: number): RowOrigins {
  const query = objects.views.get(view)
  return query === undefined
    ? { origins: [], isUnknown: true }
    : findRowOrigins({ objects, view, open: new Set() }, { query, parent: null })
}

interface Following {
  readonly objects: KnownObjects
  /** Rules of earlier versions of PostgreSQL name the view itself as two of its tables. */
  readonly view: number
  /** Recursive expressions that are being followed. */
  readonly open: Set<TreeNode>
}

function together(all: readonly RowOrigins[]): RowOrigins {
  return {
    origins: all.flatMap(({ origins }) => origins),
    isUnknown: all.some(({ isUnknown }) => isUnknown),
  }
}

/** Rows of which the result has some values, but not which row they are of. */
function withoutKeys({ origins, isUnknown }: RowOrigins): RowOrigins {
  return { isUnknown, origins: origins.map(({ relation }) => ({ relation, columns: new Map() })) }
}

function findRowOrigins(following: Following, scope: Scope): RowOrigins {
  const branches = listBranches(scope)
  return branches.length === 1 && branches[0] === scope
    ? rowsOfSelect(following, scope)
    : together(branches.map((branch) => rowsOfSelect(following, branch)))
}

/** A column of a table of one query: `2.5`. */
type Place = string

function rowsOfSelect(following: Following, scope: Scope): RowOrigins {
  const { query } = scope
  const edges = equalities(following, query)
  const outputs = copiedOutputs(query)
  const computed = [
    ...listOutputs(query).map((entry) => entry.parts.get('expr')),
    ...listRanges(query).flatMap(computedBy),
  ]
  const inside = withoutKeys(
    together(
      computed
        .flatMap(queriesIn)
        .map((each) => findRowOrigins(following, { query: each, parent: scope })),
    ),
  )
  const tables = together(
    listRanges(query).map((range, at): RowOrigins => {
      const { origins, isUnknown } = rowsOfRange(following, range, scope)
      return {
        isUnknown,
        origins: origins.map(({ relation, columns }) => ({
          relation,
          columns: shownColumns(columns, at + 1, edges, outputs),
        })),
      }
    }),
  )
  return together([inside, mixesRows(following, query) ? withoutKeys(tables) : tables])
}

function shownColumns(
  columns: RowOrigin['columns'],
  range: number,
  edges: ReadonlyMap<Place, ReadonlySet<Place>>,
  outputs: ReadonlyMap<Place, readonly number[]>,
): RowOrigin['columns'] {
  const shown = new Map<number, ReadonlySet<number>>()
  for (const [column, its] of columns) {
    const places = new Set([...its].map((each) => `${range}.${each}`))
    for (const place of places) for (const equal of edges.get(place) ?? []) places.add(equal)
    const numbers = [...places].flatMap((place) => outputs.get(place) ?? [])
    if (numbers.length > 0) shown.set(column, new Set(numbers))
  }
  return shown
}

/** Ranks count other rows, and tell no value of them. */
const ranks: ReadonlySet<string> = new Set([
  'row_number',
  'rank',
  'dense_rank',
  'percent_rank',
  'cume_dist',
  'ntile',
])

/** Whether a row of the result may hold values of other rows than those whose keys it has. */
function mixesRows({ objects }: Following, query: TreeNode): boolean {
  if (listIn(query, 'groupingSets').length > 0) return true
  return windowCalls(listIn(query, 'targetList')).some(
    (call) => !ranks.has(objects.nameOfFunction.get(numberIn(call, 'winfnoid')) ?? ''),
  )
}

function windowCalls(value: TreeValue): TreeNode[] {
  if (typeof value === 'string') return []
  if (!isNode(value)) return value.flatMap(windowCalls)
  if (value.type === 'QUERY') return []
  const inside = [...value.parts.values()].flatMap(windowCalls)
  return value.type === 'WINDOWFUNC' ? [value, ...inside] : inside
}

function rowsOfRange(following: Following, range: TreeNode, scope: Scope): RowOrigins {
  const { objects, view, open } = following
  switch (kindOfRange(range)) {
    case rangeKinds.relation: {
      const relation = numberIn(range, 'relid')
      if (relation === view) return none
      return objects.views.has(relation)
        ? rowsOfView(objects, relation)
        : wholeTable(objects, relation)
    }
    case rangeKinds.subquery: {
      const query = nodeIn(range, 'subquery')
      return query === null
        ? { ...none, isUnknown: true }
        : findRowOrigins(following, { query, parent: scope })
    }
    case rangeKinds.cte: {
      const expression = readExpression(range, scope)
      if (expression === null) return { ...none, isUnknown: true }
      if (open.has(expression.query)) return none
      open.add(expression.query)
      const found = findRowOrigins(following, expression)
      open.delete(expression.query)
      // A row of a recursive expression may hold values of the rows that led to it.
      return isRecursive(range, expression) ? withoutKeys(found) : found
    }
    case rangeKinds.function:
    case rangeKinds.tableFunction:
      return together(callsIn(computedBy(range)).map((called) => rowsOfCall(objects, called)))
    case rangeKinds.join:
    case rangeKinds.values:
    case rangeKinds.result:
    case rangeKinds.group:
      return none
    default:
      return { ...none, isUnknown: true }
  }
}

function isRecursive(range: TreeNode, { parent }: Scope): boolean {
  return (
    parent !== null &&
    nodesIn(parent.query, 'cteList').some(
      (each) =>
        textIn(each, 'ctename') === textIn(range, 'ctename') &&
        textIn(each, 'cterecursive') === 'true',
    )
  )
}

function wholeTable(objects: KnownObjects, relation: number): RowOrigins {
  const columns = [...(objects.relations.get(relation)?.columns.keys() ?? [])]
  return {
    isUnknown: false,
    origins: [{ relation, columns: new Map(columns.map((column) => [column, new Set([column])])) }],
  }
}

function rowsOfCall(objects: KnownObjects, called: number): RowOrigins {
  const reads = objects.readsOf(called)
  return reads === null
    ? { ...none, isUnknown: true }
    : together(
        reads.map((relation) =>
          withoutKeys(
            objects.views.has(relation)
              ? rowsOfView(objects, relation)
              : wholeTable(objects, relation),
          ),
        ),
      )
}

function callsIn(value: TreeValue): number[] {
  if (typeof value === 'string') return []
  if (!isNode(value)) return value.flatMap(callsIn)
  const own = numberIn(value, 'funcid')
  return [...(own > 0 ? [own] : []), ...[...value.parts.values()].flatMap(callsIn)]
}

/** The outputs that are columns of a table of the query as they are. */
function copiedOutputs(query: TreeNode): ReadonlyMap<Place, readonly number[]> {
  const found = new Map<Place, number[]>()
  for (const [at, entry] of listOutputs(query).entries()) {
    const place = findPlace(query, entry.parts.get('expr'))
    if (place !== null) found.set(place, [...(found.get(place) ?? []), at + 1])
  }
  return found
}

/** The column that an expression is, through joins and keys of groups; null for anything else. */
function findPlace(query: TreeNode, expression: TreeValue | undefined): Place | null {
  const reference = bare(expression)
  if (!isNode(reference) || reference.type !== 'VAR' || numberIn(reference, 'varlevelsup') > 0)
    return null
  const [number, column] = [numberIn(reference, 'varno'), numberIn(reference, 'varattno')]
  const range = listRanges(query)[number - 1]
  if (range === undefined || column <= 0) return null
  const kind = kindOfRange(range)
  return kind === rangeKinds.join
    ? findPlace(query, listIn(range, 'joinaliasvars')[column - 1])
    : kind === rangeKinds.group
      ? findPlace(query, listIn(range, 'groupexprs')[column - 1])
      : `${number}.${column}`
}

/**
 * From a column to others that are equal to it in every row of the result to which a row of its table led. The
 * table on the optional side of an outer join has the values of the other side, but not the reverse.
 */
function equalities(
  { objects }: Following,
  query: TreeNode,
): ReadonlyMap<Place, ReadonlySet<Place>> {
  const edges = new Map<Place, Set<Place>>()
  const add = (from: Place, to: Place) => edges.set(from, (edges.get(from) ?? new Set()).add(to))
  const collect = (condition: TreeValue | undefined, optional: ReadonlySet<number> | null) => {
    if (!isNode(condition)) return
    if (condition.type === 'BOOLEXPR' && textIn(condition, 'boolop') === 'and')
      for (const each of listIn(condition, 'args')) collect(each, optional)
    if (condition.type !== 'OPEXPR' || !objects.equalities.has(numberIn(condition, 'opno'))) return
    const [left, right] = listIn(condition, 'args').map((each) => findPlace(query, each))
    if (left == null || right == null) return
    for (const [from, to] of [
      [left, right],
      [right, left],
    ] as const)
      if (optional === null || optional.has(Number(from.split('.')[0]))) add(from, to)
  }
  const visit = (part: TreeNode | null): void => {
    if (part?.type === 'FROMEXPR') {
      for (const each of nodesIn(part, 'fromlist')) visit(each)
      collect(part.parts.get('quals'), null)
    }
    if (part?.type !== 'JOINEXPR') return
    const [left, right] = [nodeIn(part, 'larg'), nodeIn(part, 'rarg')]
    visit(left)
    visit(right)
    const type = numberIn(part, 'jointype')
    if (type === joinTypes.full) return
    const optional = type === joinTypes.left ? right : type === joinTypes.right ? left : null
    collect(part.parts.get('quals'), optional === null ? null : rangesUnder(optional))
  }
  visit(nodeIn(query, 'jointree'))
  return edges
}

/** The numbers of the tables that a part of a join holds. */
function rangesUnder(part: TreeNode | null): Set<number> {
  if (part === null) return new Set()
  if (part.type === 'RANGETBLREF') return new Set([numberIn(part, 'rtindex')])
  return new Set([...rangesUnder(nodeIn(part, 'larg')), ...rangesUnder(nodeIn(part, 'rarg'))])
}
