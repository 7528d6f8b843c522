import type { TreeNode } from '@jiaowu/api/contract/entity/tree'

/** Children of one row (`'0'`: the top level) as far as they were read, and their total number. */
export interface Branch {
  readonly nodes: readonly TreeNode[]
  readonly total: number
}
export type Branches = ReadonlyMap<string, Branch>

export interface NodeLine {
  readonly kind: 'node'
  readonly node: TreeNode
  readonly depth: number
  readonly index: number
  readonly of: number
  readonly open: boolean
  /** Ids of the ancestors, the topmost first. */
  readonly above: readonly string[]
}
/** A "load more" line at the end of a branch; `left` rows are not read yet. */
export interface MoreLine {
  readonly kind: 'more'
  readonly parent: string
  readonly depth: number
  readonly left: number
}
export type Line = NodeLine | MoreLine

/** Visible lines of the tree: children follow their unfolded parents. */
export function listVisibleLines(
  branches: Branches,
  open: ReadonlySet<string>,
  parent = '0',
  above: readonly string[] = [],
): Line[] {
  const branch = branches.get(parent)
  if (branch === undefined) return []
  const own = branch.nodes.flatMap((node, index): Line[] => {
    const isOpen = open.has(node.row.id) && branches.has(node.row.id)
    const line: NodeLine = {
      kind: 'node',
      node,
      depth: above.length,
      index,
      of: branch.total,
      open: isOpen,
      above,
    }
    return [
      line,
      ...(isOpen ? listVisibleLines(branches, open, node.row.id, [...above, node.row.id]) : []),
    ]
  })
  const left = branch.total - branch.nodes.length
  return left > 0 ? [...own, { kind: 'more', parent, depth: above.length, left }] : own
}

/** Target of a drag: beside or below another row. */
export interface Drop {
  readonly where: 'before' | 'after' | 'into'
  readonly on: NodeLine
}
/** New position of a row: its parent, and the sibling it precedes; null: last. */
export interface Place {
  readonly parent: string
  readonly before: string | null
}

/** Place for a drop; null if the row would land on or below itself, or would not move. */
export function findDropPlace(
  branches: Branches,
  moved: string,
  { where, on }: Drop,
): Place | null {
  const { row, parent } = on.node
  if (row.id === moved || on.above.includes(moved)) return null
  if (where === 'into')
    return siblings(branches, row.id).at(-1) === moved ? null : { parent: row.id, before: null }
  const all = siblings(branches, parent)
  const others = all.filter((id) => id !== moved)
  const at = others.indexOf(row.id) + (where === 'after' ? 1 : 0)
  const before = others[at] ?? null
  // The true next sibling is unknown until the rest of the branch is read.
  if (before === null && (branches.get(parent)?.total ?? 0) > all.length) return null
  return all.indexOf(moved) === at && all.includes(moved) ? null : { parent, before }
}

function siblings(branches: Branches, parent: string): readonly string[] {
  return (branches.get(parent)?.nodes ?? []).map(({ row }) => row.id)
}

export type Step = 'up' | 'down' | 'in' | 'out'

/** Place one step away: past a sibling, into the previous sibling, or out of the parent. */
export function stepFrom(branches: Branches, line: NodeLine, step: Step): Place | null {
  const {
    node: { row, parent },
    above,
  } = line
  const all = siblings(branches, parent)
  const at = all.indexOf(row.id)
  switch (step) {
    case 'up': {
      const before = all[at - 1]
      return before === undefined ? null : { parent, before }
    }
    case 'down':
      return at + 1 >= all.length ? null : { parent, before: all[at + 2] ?? null }
    case 'in': {
      const next = all[at - 1]
      return next === undefined ? null : { parent: next, before: null }
    }
    case 'out': {
      if (parent === '0') return null
      const higher = above.at(-2) ?? '0'
      const uncles = siblings(branches, higher)
      return { parent: higher, before: uncles[uncles.indexOf(parent) + 1] ?? null }
    }
  }
}

/**
 * Drop target for a pointer at `y`: the outer 28 % of a row mean beside it, the middle means into
 * it.
 */
export function whereIn(top: number, height: number, y: number, canOrder: boolean): Drop['where'] {
  if (!canOrder) return 'into'
  const part = (y - top) / height
  return part < 0.28 ? 'before' : part > 0.72 ? 'after' : 'into'
}

/** Search results as branches; every ancestor of a hit is unfolded. */
export function foundBranches(records: readonly TreeNode[]): {
  readonly branches: Branches
  readonly open: ReadonlySet<string>
} {
  const grouped = Map.groupBy(records, ({ parent }) => parent)
  const branches = new Map(
    [...grouped].map(([parent, nodes]) => [parent, { nodes, total: nodes.length }]),
  )
  return {
    branches: branches.size === 0 ? new Map([['0', { nodes: [], total: 0 }]]) : branches,
    open: new Set(grouped.keys()),
  }
}
