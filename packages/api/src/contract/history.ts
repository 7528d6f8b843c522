import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import type { RowHistory } from '../entity/history.ts'
import type { Page, Row } from '../entity/values.ts'
import { limits } from '../limits.ts'
import { page, wholeNumber } from './shapes.ts'

const answer = v.looseObject({ row: v.looseObject({ id: v.string() }), entries: v.array(v.looseObject({ id: v.string() })), complete: v.boolean() }) as unknown as v.GenericSchema<unknown, RowHistory>
/** A deleted row as a list shows it, and when and by whom it was deleted. */
export type RecycledRow = Row & { readonly deletedAt: string; readonly deletedBy: string | null }
const recycled = page as unknown as v.GenericSchema<unknown, Page<RecycledRow>>

/** What became of a record (contract §4), and the way back for deleted ones. To an old state one goes by a usual update. */
export const history = {
  of: endpoint({ method: 'GET', path: '/entity/{tag}/data/{id}/history', access: 'entity:{tag}:view', answer }),
  /** The recycle bin, last deleted first. Needs view as well. */
  recycled: endpoint({ method: 'POST', path: '/entity/{tag}/recycled/page', access: 'entity:{tag}:delete', body: v.strictObject({ pageNum: v.optional(wholeNumber, 1), pageSize: v.optional(v.pipe(wholeNumber, v.minValue(1), v.maxValue(limits.maxPageSize)), limits.pageSize) }), answer: recycled }),
  /** `ids`: comma-joined, at most 500, all or none. */
  restore: endpoint({ method: 'POST', path: '/entity/{tag}/recycled/{ids}/restore', access: 'entity:{tag}:delete', answer: v.object({ restored: v.number() }) }),
} as const
