import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import type { RowHistory } from '../entity/history.ts'
import type { Page, Row } from '../entity/values.ts'
import { limits } from '../limits.ts'
import { page, text, wholeNumber } from './shapes.ts'

const answer = v.looseObject({
  row: v.looseObject({ id: v.string() }),
  entries: v.array(v.looseObject({ id: v.string() })),
  complete: v.boolean(),
}) as unknown as v.GenericSchema<unknown, RowHistory>
/** A deleted row as a list shows it, and when and by whom it was deleted. */
export type RecycledRow = Row & { readonly deletedAt: string; readonly deletedBy: string | null }
/** `keptDays`: after so many days deleted rows go for good by themselves; null: never. */
export type RecycledPage = Page<RecycledRow> & { readonly keptDays: number | null }
const recycled = page as unknown as v.GenericSchema<unknown, RecycledPage>

/** What became of a record (docs/rules/contract.md#entity-data), and the way back for deleted ones. To an old state one goes by a usual update. */
export const history = {
  of: endpoint({
    method: 'GET',
    path: '/entity/{tag}/data/{id}/history',
    access: 'entity:{tag}:view',
    answer,
  }),
  /** The recycle bin, last deleted first. Needs view as well. */
  recycled: endpoint({
    method: 'POST',
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
  /** `ids`: comma-joined, at most 500, all or none. */
  restore: endpoint({
    method: 'POST',
    path: '/entity/{tag}/recycled/{ids}/restore',
    access: 'entity:{tag}:delete',
    answer: v.object({ restored: v.number() }),
  }),
  /** Gone for good: the rows, their history and their files. `count` is the number of rows as the person typed it. Needs view and delete as well. */
  purge: endpoint({
    method: 'POST',
    path: '/entity/{tag}/recycled/{ids}/purge',
    access: 'recycle:purge',
    body: v.strictObject({ count: wholeNumber }),
    answer: v.object({ purged: v.number() }),
  }),
} as const
