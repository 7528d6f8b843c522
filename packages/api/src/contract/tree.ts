import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import type { Row } from '../entity/values.ts'
import { limits } from '../limits.ts'
import { row, values, wholeNumber } from './shapes.ts'

/** A row of a tree entity: where it stands, and how many stand right below it, as far as the caller may see. */
export interface TreeNode {
  readonly row: Row
  /** Id of the row above; `'0'` at the top. */
  readonly parent: string
  readonly children: number
  /** In an answer to a search: found itself, not only on the way to one that was. */
  readonly hit?: boolean
}
const node = v.looseObject({
  row,
  parent: v.string(),
  children: v.number(),
  hit: v.optional(v.boolean()),
}) as unknown as v.GenericSchema<unknown, TreeNode>

const id = v.pipe(v.string(), v.maxLength(64))
const version = v.union([v.string(), v.number()])

/** Entities whose rows stand below one another: `parentField` of the definition chooses rows of the entity itself. */
export const tree = {
  /** The rows right below `parent` (`'0'`: the top), in the list's own order, 200 at a time. */
  children: endpoint({
    method: 'POST',
    path: '/entity/{tag}/tree/children',
    access: 'entity:{tag}:view',
    body: v.strictObject({
      parent: v.optional(id, '0'),
      pageNum: v.optional(v.pipe(wholeNumber, v.minValue(1)), 1),
    }),
    answer: v.object({ records: v.array(node), total: v.number() }),
  }),
  /** What a filter finds, with all that stands above it; `complete` is false when there was more than 200. */
  search: endpoint({
    method: 'POST',
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
  /** Puts a row below another (`'0'`: the top), before a sibling or after the last. Siblings are numbered anew in the sort field. */
  move: endpoint({
    method: 'POST',
    path: '/entity/{tag}/tree/{id}/move',
    access: 'entity:{tag}:update',
    body: v.strictObject({ version, parent: id, before: v.optional(v.nullable(id), null) }),
    answer: row,
  }),
  /** Numbers rows in their sort field as they stand in `ids`; for lists whose order a person gives, tree or not. */
  order: endpoint({
    method: 'POST',
    path: '/entity/{tag}/order',
    access: 'entity:{tag}:update',
    body: v.strictObject({
      ids: v.pipe(v.array(id), v.minLength(1), v.maxLength(limits.treeSiblings)),
    }),
    answer: v.object({ changed: v.number() }),
  }),
} as const
