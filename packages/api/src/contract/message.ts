import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'

const message = v.object({
  id: v.string(),
  title: v.string(),
  content: v.string(),
  /** Name of the author; null: the system. */
  sender: v.nullable(v.string()),
  /** ISO 8601 with time zone. */
  createTime: v.string(),
  readAt: v.nullable(v.string()),
})
/** A message (SYS_MESSAGE) as its receiver reads it. */
export type PersonalMessage = v.InferOutput<typeof message>

/** The caller's own messages, whatever else the caller may see. */
export const messages = {
  /** The newest 50, and the number of unread ones among all. */
  mine: endpoint({
    method: 'GET',
    path: '/message/mine',
    access: 'signed',
    answer: v.object({ unread: v.number(), records: v.array(message) }),
  }),
  /** `id` of a message, or `all`. */
  read: endpoint({
    method: 'POST',
    keyed: false,
    path: '/message/{id}/read',
    access: 'signed',
    answer: v.object({ unread: v.number() }),
  }),
} as const
