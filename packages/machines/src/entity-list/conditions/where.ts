import type { Where, WhereLeaf } from '@jiaowu/api/entity/list/list-query'
import { whereNodes } from '@jiaowu/api/entity/list/where-parts'

/** A condition of a group, with the indexes that lead to it. */
export interface PlacedLeaf extends WhereLeaf {
  readonly path: readonly number[]
}

/** All conditions of a group and of the groups in it, in order. */
export function listLeaves(where: Where, above: readonly number[] = []): readonly PlacedLeaf[] {
  return whereNodes(where).flatMap((node, index) => {
    const path = [...above, index]
    return 'column' in node ? [{ ...node, path }] : listLeaves(node, path)
  })
}

/** The group without one of its conditions; null when nothing is left. */
export function withoutLeaf(where: Where, [index, ...rest]: readonly number[]): Where | null {
  const nodes = whereNodes(where).flatMap((node, at) => {
    if (at !== index) return [node]
    if ('column' in node) return []
    const left = withoutLeaf(node, rest)
    return left === null ? [] : [left]
  })
  return nodes.length === 0 ? null : 'and' in where ? { and: nodes } : { or: nodes }
}

/** The group with one more condition that must hold. */
export function withLeaf(where: Where | null, leaf: WhereLeaf): Where {
  if (where === null) return { and: [leaf] }
  return 'and' in where ? { and: [...where.and, leaf] } : { and: [where, leaf] }
}
