import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import type { Row } from '../../entity/values.ts'
import { limits } from '../../limits.ts'
import { row, values, wholeNumber } from '../shapes.ts'

/** A row of a tree entity: its position, and the number of its children that the caller may see. */
export interface TreeNode {
  readonly row: Row
  /** Id of the parent row; `'0'` at the root. */
  readonly parent: string
  readonly children: number
  /** In search results: the row itself matches, not only one of its descendants. */
  readonly hit?: boolean
}
const node: v.GenericSchema<unknown, TreeNode> = v.object({
  row,
  parent: v.string(),
  children: v.number(),
  hit: v.exactOptional(v.boolean()),
})

const id = v.pipe(v.string(), v.maxLength(64))
const version = v.union([v.string(), v.number()])

/**
 * Entities whose rows form a tree: the definition's `parentField` refers to rows of the same
 * entity.
 */
export const tree = {
  /** The children of `parent` (`'0'`: the root) in the list's order, 200 per page. */
  children: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/tree/children',
    access: 'entity:{tag}:view',
    body: v.strictObject({
      parent: v.optional(id, '0'),
      pageNum: v.optional(v.pipe(wholeNumber, v.minValue(1)), 1),
    }),
    answer: v.object({ records: v.array(node), total: v.number() }),
  }),
  /** Matching rows and all their ancestors; `complete` is false when more than 200 rows match. */
  search: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/tree/search',
    access: 'entity:{tag}:view',
    body: v.strictObject({
      queries: v.pipe(
        values,
        v.check((q) => Object.keys(q).length <= limits.maxQueries),
      ),
    }),
    answer: v.object({ records: v.array(node), complete: v.boolean() }),
  }),
  /**
   * Moves a row below another (`'0'`: the root), before a sibling or to the end. Renumbers the
   * siblings in the sort field.
   */
  move: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/tree/{id}/move',
    access: 'entity:{tag}:update',
    body: v.strictObject({ version, parent: id, before: v.optional(v.nullable(id), null) }),
    answer: row,
  }),
  /**
   * Numbers rows in their sort field in the order of `ids`; for trees and for other lists that
   * users order by hand.
   */
  order: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/order',
    access: 'entity:{tag}:update',
    body: v.strictObject({
      ids: v.pipe(v.array(id), v.minLength(1), v.maxLength(limits.treeSiblings)),
    }),
    answer: v.object({ changed: v.number() }),
  }),
} as const
