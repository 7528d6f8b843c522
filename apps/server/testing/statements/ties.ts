// Which tables of one level of a statement its conditions tie to a school.
import { isTree, lastName, readColumnPath, type Tree, treesIn } from './tree.ts'

/** `alias.tenant_id = other`, where other is a value, several values, or the column of another alias. */
export interface Tie {
  readonly alias: string
  readonly other: 'value' | 'values' | { readonly alias: string }
}

type Resolve = (path: readonly string[]) => string | null

/**
 * The ties that hold for every row. `restricts`: the aliases whose rows the condition removes,
 * which in an outer join are those of one side; null for all.
 */
export function collectTies(
  condition: unknown,
  resolve: Resolve,
  restricts: ReadonlySet<string> | null,
): Tie[] {
  return collectFacts(condition, resolve).filter(
    ({ alias }) => restricts === null || restricts.has(alias),
  )
}

/** The aliases tied to one school, and those tied to one or several. */
export function tiedAliases(ties: readonly Tie[]): {
  readonly one: ReadonlySet<string>
  readonly several: ReadonlySet<string>
} {
  return {
    one: findReached(ties, ({ other }) => other === 'value'),
    several: findReached(ties, ({ other }) => other === 'value' || other === 'values'),
  }
}

function findReached(ties: readonly Tie[], isStart: (tie: Tie) => boolean): ReadonlySet<string> {
  const found = new Set(ties.filter(isStart).map(({ alias }) => alias))
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const { alias, other } of ties)
      if (typeof other === 'object' && found.has(other.alias)) found.add(alias)
  }
  return found
}

/** A parameter or a constant, cast or not. */
export function isValue(node: unknown): boolean {
  if (!isTree(node)) return false
  const { ParamRef: parameter, A_Const: constant, TypeCast: cast } = node
  if (isTree(cast)) return isValue(cast['arg'])
  return isTree(parameter) || (isTree(constant) && constant['isnull'] !== true)
}

/** The alias whose school a node is; null for another node. */
export function aliasOfSchool(node: unknown, resolve: Resolve): string | null {
  const path = readColumnPath(node)
  return path === null ? null : resolve(path)
}

function collectFacts(condition: unknown, resolve: Resolve): Tie[] {
  if (!isTree(condition)) return []
  const { BoolExpr: logic, A_Expr: comparison } = condition
  if (isTree(logic)) {
    const parts = treesIn(logic['args']).map((part) => collectFacts(part, resolve))
    if (logic['boolop'] === 'AND_EXPR') return parts.flat()
    return logic['boolop'] === 'OR_EXPR' ? inAll(parts) : []
  }
  return isTree(comparison) ? comparisonFacts(comparison, resolve) : []
}

/**
 * Keeps the ties that every arm of an "or" has; different values of one column count as several.
 */
function inAll([first = [], ...others]: readonly Tie[][]): Tie[] {
  return first.flatMap((tie) => {
    const same = others.map((arm) =>
      arm.find(({ alias, other }) =>
        alias === tie.alias && typeof tie.other === 'object'
          ? typeof other === 'object' && other.alias === tie.other.alias
          : alias === tie.alias && typeof other === 'string',
      ),
    )
    if (same.includes(undefined)) return []
    return [typeof tie.other === 'object' ? tie : { ...tie, other: 'values' as const }]
  })
}

function comparisonFacts(comparison: Tree, resolve: Resolve): Tie[] {
  if (lastName(comparison['name']) !== '=') return []
  const { kind, lexpr: left, rexpr: right } = comparison
  if (kind === 'AEXPR_OP') return listPairs(left, right).flatMap((pair) => equality(pair, resolve))
  const alias = aliasOfSchool(left, resolve)
  if (alias === null) return []
  const list = isTree(right) && isTree(right['List']) ? treesIn(right['List']['items']) : null
  if (kind === 'AEXPR_IN' && list !== null && list.length > 0 && list.every(isValue))
    return [{ alias, other: list.length === 1 ? 'value' : 'values' }]
  return kind === 'AEXPR_OP_ANY' && isValue(right) ? [{ alias, other: 'values' }] : []
}

/** `(a, b) = (c, d)` compares each column. */
function listPairs(left: unknown, right: unknown): (readonly [unknown, unknown])[] {
  const row = (node: unknown) =>
    isTree(node) && isTree(node['RowExpr']) ? treesIn(node['RowExpr']['args']) : null
  const [lefts, rights] = [row(left), row(right)]
  if (lefts === null || rights === null) return [[left, right]]
  return lefts.map((each, index) => [each, rights[index]] as const)
}

function equality([left, right]: readonly [unknown, unknown], resolve: Resolve): Tie[] {
  const [a, b] = [aliasOfSchool(left, resolve), aliasOfSchool(right, resolve)]
  if (a !== null && b !== null)
    return [
      { alias: a, other: { alias: b } },
      { alias: b, other: { alias: a } },
    ]
  if (a !== null && isValue(right)) return [{ alias: a, other: 'value' }]
  return b !== null && isValue(left) ? [{ alias: b, other: 'value' }] : []
}
