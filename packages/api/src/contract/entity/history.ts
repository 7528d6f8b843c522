import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { historyActions, type RowHistory } from '../../entity/definition/history.ts'
import type { Row } from '../../entity/values.ts'
import type { Page } from '../../entity/list/page.ts'
import { limits } from '../../limits.ts'
import { pageEntries, row, text, wholeNumber, wireValue } from '../shapes.ts'

const answer: v.GenericSchema<unknown, RowHistory> = v.object({
  row,
  entries: v.array(
    v.object({
      id: v.string(),
      action: v.picklist(historyActions),
      at: v.string(),
      user: v.nullable(v.object({ id: v.string(), name: v.string() })),
      agent: v.exactOptional(v.string()),
      changes: v.array(v.object({ attrName: v.string(), from: wireValue, to: wireValue })),
    }),
  ),
  complete: v.boolean(),
})
/** A deleted row as the list shows it, with the time of deletion and the user who deleted it. */
export type RecycledRow = Row & { readonly deletedAt: string; readonly deletedBy: string | null }
/** `keptDays`: deleted rows are purged after so many days; null: never. */
export type RecycledPage = Page<RecycledRow> & {
  readonly total: number
  readonly keptDays: number | null
}
const recycled: v.GenericSchema<unknown, RecycledPage> = v.object({
  ...pageEntries,
  total: v.number(),
  keptDays: v.nullable(v.number()),
  records: v.array(
    v.intersect([row, v.looseObject({ deletedAt: v.string(), deletedBy: v.nullable(v.string()) })]),
  ),
})

/**
 * History of a row (docs/rules/contract.md#entity-data), and the recycle bin. An earlier state of a
 * row is restored by an ordinary update.
 */
export const history = {
  of: endpoint({
    method: 'GET',
    path: '/entity/{tag}/data/{id}/history',
    access: 'entity:{tag}:view',
    answer,
  }),
  /** The recycle bin, most recently deleted first. Also needs `view`. */
  recycled: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/recycled/page',
    access: 'entity:{tag}:delete',
    body: v.strictObject({
      searchKey: v.optional(v.pipe(text, v.maxLength(200))),
      pageNum: v.optional(wholeNumber, 1),
      pageSize: v.optional(
        v.pipe(wholeNumber, v.minValue(1), v.maxValue(limits.maxPageSize)),
        limits.pageSize,
      ),
    }),
    answer: recycled,
  }),
  /** `ids`: at most 500, joined by commas; all or none are restored. */
  restore: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/recycled/{ids}/restore',
    access: 'entity:{tag}:delete',
    answer: v.object({ restored: v.number() }),
  }),
  /**
   * Deletes rows permanently, with their history and files. `count` is the number of rows the user
   * typed as a confirmation. Also needs `view` and `delete`.
   */
  purge: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/recycled/{ids}/purge',
    access: 'recycle:purge',
    fresh: true,
    body: v.strictObject({ count: wholeNumber }),
    answer: v.object({ purged: v.number() }),
  }),
} as const
