// Parses the query of a view: its tables by number, its outputs, and what a reference means.
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

/** A query with those around it, to which its references may reach. */
export interface Scope {
  readonly query: TreeNode
  readonly parent: Scope | null
}

/** RTEKind of PostgreSQL. */
export const rangeKinds = {
  relation: 0,
  subquery: 1,
  join: 2,
  function: 3,
  tableFunction: 4,
  values: 5,
  cte: 6,
  result: 8,
  /** From PostgreSQL 18 on: the expressions that rows are grouped by. */
  group: 9,
} as const

/** JoinType of PostgreSQL. */
export const joinTypes = { inner: 0, left: 1, full: 2, right: 3 } as const

export const listRanges = (query: TreeNode): TreeNode[] => nodesIn(query, 'rtable')
export const kindOfRange = (range: TreeNode): number => numberIn(range, 'rtekind')

/** The scope that is so many queries further out. */
export function outer(scope: Scope, levels: number): Scope | null {
  let found: Scope | null = scope
  for (let level = 0; level < levels && found !== null; level += 1) found = found.parent
  return found
}

/** The columns of the result, in order; those for sorting alone are left out. */
export function listOutputs(query: TreeNode): TreeNode[] {
  return nodesIn(query, 'targetList').filter((entry) => textIn(entry, 'resjunk') !== 'true')
}

/** The queries of a union, an intersection or an exception; the query itself without one. */
export function listBranches(scope: Scope): Scope[] {
  const operation = nodeIn(scope.query, 'setOperations')
  if (operation === null) return [scope]
  const ranges = listRanges(scope.query)
  const leaves = (part: TreeNode | null): Scope[] => {
    if (part === null) return []
    if (part.type === 'SETOPERATIONSTMT')
      return [...leaves(nodeIn(part, 'larg')), ...leaves(nodeIn(part, 'rarg'))]
    const query = nodeIn(ranges[numberIn(part, 'rtindex') - 1] ?? part, 'subquery')
    return query === null ? [] : listBranches({ query, parent: scope })
  }
  return leaves(operation)
}

/** The query of a common table expression, in the scope that declares it. */
export function readExpression(range: TreeNode, scope: Scope): Scope | null {
  const declaring = outer(scope, numberIn(range, 'ctelevelsup'))
  if (declaring === null) return null
  const found = nodesIn(declaring.query, 'cteList').find(
    (each) => textIn(each, 'ctename') === textIn(range, 'ctename'),
  )
  const query = found === undefined ? null : nodeIn(found, 'ctequery')
  return query === null ? null : { query, parent: declaring }
}

/** The expression without casts that leave the value as it is, such as from varchar to text. */
export function bare(expression: TreeValue | undefined): TreeValue | undefined {
  let found = expression
  while (isNode(found) && found.type === 'RELABELTYPE') found = found.parts.get('arg')
  return found
}

/** Every query inside of the expressions, without those inside of these. */
export function queriesIn(value: TreeValue | undefined): TreeNode[] {
  if (value === undefined || typeof value === 'string') return []
  if (!isNode(value)) return value.flatMap(queriesIn)
  return value.type === 'QUERY' ? [value] : [...value.parts.values()].flatMap(queriesIn)
}

/** Lists the values that a range computes by itself: calls, lists of values and keys of groups. */
export function computedBy(range: TreeNode): readonly TreeValue[] {
  const table = nodeIn(range, 'tablefunc')
  return [
    ...listIn(range, 'functions'),
    ...listIn(range, 'values_lists'),
    ...listIn(range, 'groupexprs'),
    ...(table === null ? [] : [table]),
  ]
}
