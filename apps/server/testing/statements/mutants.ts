// Statements that have lost one tie to their school: the check has to refuse each of them.
import { isTree, lastName, readColumnPath, type Tree, treesIn } from './tree.ts'

/** Copies of a statement, each without one comparison or value that ties it to a school. */
export function listStatementMutants(statement: Tree): Tree[] {
  return listVariants(statement).map((variant) => variant as Tree)
}

const conditionKeys: Readonly<Record<string, boolean>> = {
  whereClause: true,
  quals: true,
  targetList: false,
}
const yes: Tree = { A_Const: { boolval: { boolval: true }, location: -1 } }

/** The node with one tie left out, once for each tie below it. Only conditions tie: a selected comparison does not. */
function listVariants(value: unknown, isCondition = false): unknown[] {
  if (Array.isArray(value))
    return value.flatMap((each, at) =>
      listVariants(each, isCondition).map((variant) => value.with(at, variant) as unknown),
    )
  if (!isTree(value)) return []
  const { A_Expr: comparison, InsertStmt: insert } = value
  return [
    ...(isCondition && isTree(comparison) && isTie(comparison) ? [yes] : []),
    ...(isTree(insert) ? withoutColumn(insert).map((variant) => ({ InsertStmt: variant })) : []),
    ...Object.entries(value).flatMap(([key, child]) =>
      listVariants(child, conditionKeys[key] ?? isCondition).map((variant) => ({
        ...value,
        [key]: variant,
      })),
    ),
  ]
}

/** `x.tenant_id = $1`, `x.tenant_id = y.tenant_id` and `x.tenant_id in (…)`. */
function isTie({ kind, name, lexpr: left, rexpr: right }: Tree): boolean {
  if (lastName(name) !== '=') return false
  const isSchool = (node: unknown) => readColumnPath(node)?.at(-1) === 'tenant_id'
  const isColumn = (node: unknown) => readColumnPath(node) !== null
  if (kind !== 'AEXPR_OP') return isSchool(left)
  return (
    (isSchool(left) && (isSchool(right) || !isColumn(right))) ||
    (isSchool(right) && !isColumn(left))
  )
}

/** The insert without its school, and without the school in what a conflict is found by. */
function withoutColumn(insert: Tree): Tree[] {
  const columns = treesIn(insert['cols'])
  const at = columns.findIndex(
    ({ ResTarget: target }) => isTree(target) && target['name'] === 'tenant_id',
  )
  const conflict = isTree(insert['onConflictClause']) ? insert['onConflictClause'] : {}
  const infer = isTree(conflict['infer']) ? conflict['infer'] : {}
  const keys = treesIn(infer['indexElems'])
  const isSchool = ({ IndexElem: key }: Tree) => isTree(key) && key['name'] === 'tenant_id'
  return [
    ...(at < 0 ? [] : [{ ...insert, cols: columns.toSpliced(at, 1) }]),
    ...(keys.some(isSchool) && keys.length > 1
      ? [
          {
            ...insert,
            onConflictClause: {
              ...conflict,
              infer: { ...infer, indexElems: keys.filter((key) => !isSchool(key)) },
            },
          },
        ]
      : []),
  ]
}
