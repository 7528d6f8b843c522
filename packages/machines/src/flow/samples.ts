// Rows that tell the conditions of a flow apart: values around those that the expressions compare with.
import { compileExpression, type Expression, listChildNodes } from '@jiaowu/validation'
import { meetsWhen } from './machine.ts'

export type SampleRow = Readonly<Record<string, unknown>>
export interface Samples {
  /** One row for each combination of conditions that some row meets. */
  readonly rows: readonly SampleRow[]
  /** Conditions that no tried row meets. */
  readonly never: readonly string[]
  /** Whether combinations were left out. */
  readonly isBounded: boolean
}
/** Ids that a field may hold; null where it may hold anything. */
export type DomainOf = (attrName: string) => readonly string[] | null

const mostTried = 6000
const mostRows = 24
const mostValues = 12

export function sampleRows(conditions: readonly string[], domainOf: DomainOf): Samples {
  const distinct = [...new Set(conditions)]
  const asts = distinct.map((source) => compileExpression(source).ast)
  const values = collectCandidates(asts, domainOf)
  const alone = distinct.map((source, i) => {
    const ast = asts[i]
    const own =
      ast === undefined ? new Map<string, unknown[]>() : collectCandidates([ast], domainOf)
    const tried = listRows(own)
    return {
      source,
      isMet: tried.rows.some((row) => meetsWhen(source, row)),
      isBounded: tried.isBounded,
    }
  })
  const { rows, isBounded } = listRows(values)
  const byTruth = new Map<string, SampleRow>()
  for (const row of rows) {
    const truth = distinct.map((source) => (meetsWhen(source, row) ? '1' : '0')).join('')
    if (!byTruth.has(truth)) byTruth.set(truth, row)
  }
  return {
    rows: [...byTruth.values()].slice(0, mostRows),
    never: alone.filter((each) => !each.isMet && !each.isBounded).map(({ source }) => source),
    isBounded: isBounded || byTruth.size > mostRows,
  }
}

/** Every combination of the values, up to a limit. */
function listRows(values: ReadonlyMap<string, readonly unknown[]>): {
  readonly rows: readonly SampleRow[]
  readonly isBounded: boolean
} {
  const paths = [...values]
  const all = paths.reduce((product, [, each]) => product * each.length, 1)
  const rows = Array.from({ length: Math.min(all, mostTried) }, (_none, no) => {
    let left = no
    return buildRow(
      paths.map(([path, each]) => {
        const value = each[left % each.length]
        left = Math.floor(left / each.length)
        return [path, value] as const
      }),
    )
  })
  return { rows, isBounded: all > mostTried }
}

function buildRow(values: readonly (readonly [path: string, value: unknown])[]): SampleRow {
  const row: Record<string, unknown> = {}
  for (const [path, value] of values) if (!path.includes('.')) row[path] = value
  for (const [path, value] of values) {
    const [name = '', inner] = path.split('.')
    if (inner === undefined) continue
    const known = row[name]
    const [item] = Array.isArray(known) ? (known as { id: string; values?: object }[]) : []
    row[name] = [
      {
        id: item?.id ?? String(known ?? '1'),
        name: '',
        values: { ...item?.values, [inner]: value },
      },
    ]
  }
  return row
}

function collectCandidates(
  asts: readonly Expression[],
  domainOf: DomainOf,
): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>()
  for (const ast of asts) {
    const literals = listLiterals(ast)
    for (const path of listPaths(ast)) {
      const domain = domainOf(path)
      const near = literals.flatMap((value): (string | number | boolean)[] =>
        typeof value === 'number' ? [value - 1, value, value + 1] : [value],
      )
      const tried =
        domain === null
          ? [
              ...near,
              ...literals
                .filter((value) => typeof value === 'string')
                .slice(0, 1)
                .map((value) => `${value}\u0001`),
            ]
          : domain
      found.set(
        path,
        [...new Set([...(found.get(path) ?? []), ...tried, null])].slice(0, mostValues * 2),
      )
    }
  }
  return new Map([...found].map(([path, values]) => [path, values.slice(-mostValues)]))
}

function listLiterals(node: Expression): readonly (string | number | boolean)[] {
  if (node.type === 'literal') return node.value === null ? [] : [node.value]
  // The names of properties are no values.
  if (node.type === 'member') return listLiterals(node.object)
  return listChildNodes(node).flatMap(listLiterals)
}

/** `attrName`, or `attrName.property` for a step into a relation. */
function listPaths(node: Expression): readonly string[] {
  const path = toPath(node)
  if (path !== null) return [path]
  return [...new Set(listChildNodes(node).flatMap(listPaths))]
}

function toPath(node: Expression): string | null {
  if (node.type !== 'member' || node.property.type !== 'literal') return null
  const property = String(node.property.value)
  if (node.object.type === 'name') return node.object.name === 'row' ? property : null
  const outer = toPath(node.object)
  return outer === null ? null : property === 'length' ? outer : `${outer}.${property}`
}
