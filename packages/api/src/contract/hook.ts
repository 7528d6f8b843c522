import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { text, wholeNumber } from './shapes.ts'

/** `flow`: a decision in the flow of a row. Rows that are purged were deleted before. */
export const hookEvents = ['create', 'update', 'delete', 'restore', 'flow'] as const
export type HookEvent = (typeof hookEvents)[number]
/** `waiting`: not delivered yet. `failed`: given up. */
export const deliveryStates = ['waiting', 'done', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

const hookShape = v.object({
  id: v.string(),
  name: v.string(),
  url: v.string(),
  tag: v.string(),
  events: v.array(v.picklist(hookEvents)),
  createTime: v.string(),
  waiting: v.number(),
  failed: v.number(),
})
const delivery = v.object({
  id: v.string(),
  /** Id of the row. */
  rowId: v.string(),
  event: v.picklist(hookEvents),
  state: v.picklist(deliveryStates),
  attempts: v.number(),
  /** HTTP status of the last answer; null without one. */
  status: v.nullable(v.number()),
  failure: v.nullable(v.string()),
  createTime: v.string(),
  nextAt: v.nullable(v.string()),
})
export type HookDelivery = v.InferOutput<typeof delivery>

/** Programs of the school that are told of writes (docs/rules/contract.md#hooks). */
export const hook = {
  list: endpoint({
    method: 'GET',
    path: '/hook',
    access: 'entity:design',
    answer: v.array(hookShape),
  }),
  /**
   * Also needs `view` on the entity. Answers the secret of the signatures, which cannot be read again.
   * @throws 422 for an address of a private network that the server does not allow
   */
  create: endpoint({
    method: 'POST',
    keyed: false,
    path: '/hook',
    access: 'entity:design',
    body: v.strictObject({
      name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)),
      url: v.pipe(v.string(), v.maxLength(2000), v.url(), v.regex(/^https?:\/\/[^@/]+(\/|$)/)),
      tag: v.pipe(text, v.maxLength(64)),
      events: v.pipe(v.array(v.picklist(hookEvents)), v.minLength(1)),
    }),
    answer: v.object({ id: v.string(), secret: v.string() }),
  }),
  /** Drops deliveries that still wait. */
  remove: endpoint({
    method: 'DELETE',
    path: '/hook/{id}',
    access: 'entity:design',
    answer: v.object({ removed: v.number() }),
  }),
  /** Newest first. */
  deliveries: endpoint({
    method: 'GET',
    path: '/hook/{id}/delivery',
    access: 'entity:design',
    query: v.strictObject({
      state: v.optional(v.picklist(deliveryStates)),
      pageNum: v.optional(wholeNumber, 1),
      pageSize: v.optional(
        v.pipe(wholeNumber, v.minValue(1), v.maxValue(limits.maxPageSize)),
        limits.pageSize,
      ),
      ts: v.optional(text),
    }),
    answer: v.object({ records: v.array(delivery), total: v.number() }),
  }),
  /** Delivers again, whether it was delivered or given up. @throws 409 while it waits */
  repeat: endpoint({
    method: 'POST',
    keyed: false,
    path: '/hook/delivery/{id}/repeat',
    access: 'entity:design',
    answer: v.object({ id: v.string() }),
  }),
} as const
