// From which columns of tables each column of a view is computed, through joins, unions, subqueries, common table
// expressions and other views. What a view only compares, in `where` and `on`, is no part of its values.
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
  listBranches,
  computedBy,
  readExpression,
  kindOfRange,
  outer,
  listOutputs,
  rangeKinds,
  listRanges,
  type Scope,
} from './query-tree.ts'
import type { KnownObjects } from './read-objects.ts'

interface BaseColumn {
  /** The relation: a table, a foreign table or one of the database's own catalog. */
  readonly relation: number
  readonly column: number
}
/** One column of a view. */
export interface Traced {
  readonly bases: Map<string, BaseColumn>
  /** Every value is one of a base column, or a constant: nothing was computed. */
  isCopy: boolean
  /** Something was met that cannot be followed. */
  isUnknown: boolean
  /** Output columns that were followed already: those of a recursive expression come back to themselves. */
  readonly followed: Set<TreeNode>
}

function newTrace(): Traced {
  return { bases: new Map(), isCopy: true, isUnknown: false, followed: new Set() }
}

/** Follows the output column with this number of a view. */
export function traceColumn(
  objects: KnownObjects,
  view: number,
  column: number,
  found = newTrace(),
): Traced {
  const query = objects.views.get(view)
  if (query === undefined) found.isUnknown = true
  else traceOutput(objects, { query, parent: null }, column, found)
  return found
}

function traceOutput(objects: KnownObjects, scope: Scope, column: number, found: Traced): void {
  for (const branch of listBranches(scope))
    for (const [at, entry] of listOutputs(branch.query).entries()) {
      // A whole row is all of its columns.
      if ((column !== 0 && at + 1 !== column) || found.followed.has(entry)) continue
      found.followed.add(entry)
      trace(objects, entry.parts.get('expr'), branch, found)
    }
}

const copying: ReadonlySet<string> = new Set(['VAR', 'RELABELTYPE', 'CONST', 'TARGETENTRY'])

function trace(
  objects: KnownObjects,
  value: TreeValue | undefined,
  scope: Scope,
  found: Traced,
): void {
  if (value === undefined || typeof value === 'string') return
  if (!isNode(value)) {
    for (const item of value) trace(objects, item, scope, found)
    return
  }
  if (!copying.has(value.type)) found.isCopy = false
  if (value.type === 'VAR') return traceReference(objects, value, scope, found)
  traceCalls(objects, value, found)
  if (value.type === 'WINDOWFUNC') traceOrder(objects, value, scope, found)
  if (value.type === 'QUERY') return traceQuery(objects, { query: value, parent: scope }, found)
  for (const part of value.parts.values()) trace(objects, part, scope, found)
}

/** A query inside of an expression: its conditions decide on the value as its columns do. */
function traceQuery(objects: KnownObjects, scope: Scope, found: Traced): void {
  for (const branch of listBranches(scope))
    for (const key of ['targetList', 'jointree', 'havingQual', 'limitCount', 'limitOffset'])
      trace(objects, branch.query.parts.get(key), branch, found)
}

/** Ranks tell the order of the values that they order by. */
function traceOrder(objects: KnownObjects, call: TreeNode, scope: Scope, found: Traced): void {
  const window = nodesIn(scope.query, 'windowClause').find(
    (each) => textIn(each, 'winref') === textIn(call, 'winref'),
  )
  if (window === undefined) return
  const refs = new Set(
    [...nodesIn(window, 'partitionClause'), ...nodesIn(window, 'orderClause')].map((each) =>
      textIn(each, 'tleSortGroupRef'),
    ),
  )
  for (const entry of nodesIn(scope.query, 'targetList'))
    if (refs.has(textIn(entry, 'ressortgroupref')) && !found.followed.has(entry)) {
      found.followed.add(entry)
      trace(objects, entry.parts.get('expr'), scope, found)
    }
}

const functionKeys = ['funcid', 'opfuncid', 'aggfnoid', 'winfnoid'] as const

function traceCalls(objects: KnownObjects, node: TreeNode, found: Traced): void {
  const operators = [textIn(node, 'opno'), ...listIn(node, 'opnos').map(String)].map(Number)
  const called = [
    ...functionKeys.map((key) => numberIn(node, key)),
    ...operators.map((operator) => objects.functionOfOperator.get(operator) ?? 0),
  ].filter((each) => each > 0)
  for (const each of called) addReads(objects, each, found)
}

function addReads(objects: KnownObjects, called: number, found: Traced): void {
  const reads = objects.readsOf(called)
  if (reads === null) found.isUnknown = true
  else
    for (const relation of reads)
      if (objects.views.has(relation)) traceColumn(objects, relation, 0, found)
      else addRelation(objects, relation, 0, found)
}

/** @param column 0 for all of them */
function addRelation(objects: KnownObjects, relation: number, column: number, found: Traced): void {
  if (column !== 0) found.bases.set(`${relation}.${column}`, { relation, column })
  else {
    found.isCopy = false
    for (const each of objects.relations.get(relation)?.columns.keys() ?? [])
      found.bases.set(`${relation}.${each}`, { relation, column: each })
  }
}

function traceReference(objects: KnownObjects, reference: TreeNode, from: Scope, found: Traced) {
  const scope = outer(from, numberIn(reference, 'varlevelsup'))
  const range =
    scope === null ? undefined : listRanges(scope.query)[numberIn(reference, 'varno') - 1]
  const column = numberIn(reference, 'varattno')
  if (column === 0) found.isCopy = false
  if (scope === null || range === undefined) found.isUnknown = true
  else traceRange(objects, range, column, scope, found)
}

function traceRange(
  objects: KnownObjects,
  range: TreeNode,
  column: number,
  scope: Scope,
  found: Traced,
): void {
  const inList = (key: string) => {
    const items = listIn(range, key)
    trace(objects, column === 0 ? items : items[column - 1], scope, found)
  }
  switch (kindOfRange(range)) {
    case rangeKinds.relation: {
      const relation = numberIn(range, 'relid')
      if (objects.views.has(relation)) traceColumn(objects, relation, column, found)
      // Numbers below zero are those of the row itself, such as its place in the file.
      else if (column >= 0) addRelation(objects, relation, column, found)
      return
    }
    case rangeKinds.subquery: {
      const query = nodeIn(range, 'subquery')
      if (query === null) found.isUnknown = true
      else traceOutput(objects, { query, parent: scope }, column, found)
      return
    }
    case rangeKinds.cte: {
      const expression = readExpression(range, scope)
      if (expression === null) found.isUnknown = true
      else traceOutput(objects, expression, column, found)
      return
    }
    case rangeKinds.join:
      return inList('joinaliasvars')
    case rangeKinds.group:
      return inList('groupexprs')
    case rangeKinds.function:
    case rangeKinds.tableFunction:
    case rangeKinds.values:
      if (kindOfRange(range) !== rangeKinds.values) found.isCopy = false
      return trace(objects, computedBy(range), scope, found)
    case rangeKinds.result:
      return
    default:
      found.isUnknown = true
  }
}
