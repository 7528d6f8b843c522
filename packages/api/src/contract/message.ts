import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { text } from './shapes.ts'

/** Kinds of messages: notices that flows send, reminders to decide, and all others. */
const noticeKinds = ['flow', 'remind', 'system'] as const
export type NoticeKind = (typeof noticeKinds)[number]
/** Ways of a notice: to the bell, by e-mail, by SMS. */
export const noticeChannels = ['message', 'mail', 'sms'] as const
export type NoticeChannel = (typeof noticeChannels)[number]

const message = v.object({
  id: v.string(),
  title: v.string(),
  content: v.string(),
  /** Name of the author; null: the system. */
  sender: v.nullable(v.string()),
  /** ISO 8601 with time zone. */
  createTime: v.string(),
  readAt: v.nullable(v.string()),
  kind: v.picklist(noticeKinds),
  /** The row that a notice tells of. */
  row: v.nullable(v.object({ tag: v.string(), id: v.string() })),
})
/** A message (SYS_MESSAGE) as its receiver reads it. */
export type PersonalMessage = v.InferOutput<typeof message>

/** The kinds that a person may choose ways for. Messages of the system always reach the bell. */
export const chosenKinds = ['flow', 'remind'] as const satisfies readonly NoticeKind[]
const choice = {
  kind: v.picklist(chosenKinds),
  channel: v.picklist(noticeChannels),
  isOn: v.boolean(),
}
const choices = v.object({
  choices: v.array(v.object(choice)),
  /** Ways that this server, and what it knows of the caller, leaves open: an address, a mobile. */
  open: v.array(v.picklist(noticeChannels)),
})

/** The caller's own messages, whatever else the caller may see. */
export const messages = {
  /** The newest 50 of those asked for, and the number of unread ones among all. */
  mine: endpoint({
    method: 'GET',
    path: '/message/mine',
    access: 'signed',
    query: v.strictObject({
      /** Leaves out what was read. */
      unread: v.optional(v.literal('1')),
      kind: v.optional(v.picklist(noticeKinds)),
      ts: v.optional(text),
    }),
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
  /** Every kind by every way, as the caller has chosen it; on where they have not. */
  choices: endpoint({
    method: 'GET',
    path: '/message/choice',
    access: 'signed',
    answer: choices,
  }),
  /** Changes the choices that are named. */
  choose: endpoint({
    method: 'PUT',
    path: '/message/choice',
    access: 'signed',
    body: v.strictObject({
      choices: v.pipe(
        v.array(v.strictObject(choice)),
        v.minLength(1),
        v.maxLength(chosenKinds.length * noticeChannels.length),
      ),
    }),
    answer: choices,
  }),
} as const
