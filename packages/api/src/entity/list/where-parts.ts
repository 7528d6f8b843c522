import {
  isRelatedLeaf,
  listTimes,
  type Where,
  type WhereLeaf,
  type WhereNode,
} from './list-query.ts'

/** The parts of a group. */
export const whereNodes = (where: Where): readonly WhereNode[] =>
  'and' in where ? where.and : where.or

/** Both conditions; no level deeper than they are, where a conjunction can take the other one. */
export function joinedWhere(a: Where | null, b: Where | null): Where | null {
  if (a === null || b === null) return a ?? b
  const partsOf = (where: Where) => ('and' in where ? where.and : [where])
  return { and: [...partsOf(a), ...partsOf(b)] }
}

/** The conditions that `keeps` accepts, and the number of the others. */
export function prunedWhere(
  where: Where | null,
  keeps: (leaf: WhereLeaf) => boolean,
): { readonly where: Where | null; readonly gone: number } {
  if (where === null) return { where, gone: 0 }
  const parts = whereNodes(where).map((node) =>
    'column' in node
      ? { node: keeps(node) ? node : null, gone: keeps(node) ? 0 : 1 }
      : toPrunedNode(prunedWhere(node, keeps)),
  )
  const left = parts.flatMap(({ node }) => node ?? [])
  return {
    where: left.length === 0 ? null : 'and' in where ? { and: left } : { or: left },
    gone: parts.reduce((sum, { gone }) => sum + gone, 0),
  }
}

const toPrunedNode = ({
  where,
  gone,
}: {
  readonly where: Where | null
  readonly gone: number
}) => ({
  node: where,
  gone,
})

/** The conditions whose fields are among `names`, or times that every list has. */
export function knownWhere(where: Where | null, names: ReadonlySet<string>): Where | null {
  return prunedWhere(
    where,
    ({ column }) =>
      names.has(column) || isRelatedLeaf({ column }) || listTimes.some((time) => time === column),
  ).where
}
