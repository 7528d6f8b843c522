import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { itemTones } from '../../entity/values.ts'
import { limits } from '../../limits.ts'
import { text, values, wholeNumber } from '../shapes.ts'

const version = v.union([v.number(), v.pipe(v.string(), v.maxLength(60))])
const note = v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(2000))))
const person = v.object({ id: v.string(), name: v.string() })
const offer = v.object({
  /** `APPROVE`, or with its region `finance.APPROVE`. */
  event: v.string(),
  name: v.string(),
  ask: v.array(v.object({ attrName: v.string(), required: v.boolean() })),
  note: v.nullable(v.picklist(['required', 'optional'])),
})
const logLine = v.object({
  /** `YYYY-MM-DD HH:mm:ss` */
  at: v.string(),
  /** Null for a timer. */
  by: v.nullable(person),
  event: v.string(),
  name: v.string(),
  /** Keys of the outermost states. */
  from: v.string(),
  to: v.string(),
  note: v.nullable(v.string()),
  /** From when the state was entered to the decision. */
  seconds: v.number(),
  /** The fields that were filled in. */
  fields: v.array(v.string()),
})
const state = v.object({
  /** Key of the outermost state, as the field holds it. */
  state: v.string(),
  name: v.string(),
  tone: v.exactOptional(v.picklist(itemTones)),
  isDone: v.boolean(),
  /** All states that the case is in: several in regions that run side by side. */
  active: v.array(v.object({ path: v.string(), name: v.string() })),
  since: v.nullable(v.string()),
  /** `YYYY-MM-DD HH:mm:ss`, when the next timer ends; absent without one. */
  due: v.exactOptional(v.string()),
  applicant: v.nullable(person),
  /** The events that the caller may send. */
  can: v.array(offer),
  /** Oldest first. */
  log: v.array(logLine),
  /** The people that are waited for. */
  open: v.array(
    v.object({
      who: v.string(),
      event: v.string(),
      since: v.string(),
      /** The state that waits, one of `active`. */
      path: v.string(),
    }),
  ),
  /** Decisions that these people can make, by the path of the state; `to` names the state that follows. */
  next: v.array(v.object({ path: v.string(), event: v.string(), to: v.nullable(v.string()) })),
  /** Fields that may be changed now. */
  edit: v.array(v.string()),
  /** Sent back with a decision. */
  version: v.string(),
})
/** Where a row is in its flow. */
export type FlowStateAnswer = v.InferOutput<typeof state>

const decision = {
  version,
  note,
  /** Values of the fields that the event asks for. */
  fields: v.optional(values, {}),
}
/** Kinds of the list of to-dos: mine to decide, cases I began, cases I decided in. */
export const todoKinds = ['open', 'started', 'decided'] as const
export type TodoKind = (typeof todoKinds)[number]
const todo = v.object({
  tag: v.string(),
  entity: v.string(),
  id: v.string(),
  title: v.string(),
  state: v.string(),
  name: v.string(),
  tone: v.exactOptional(v.picklist(itemTones)),
  isDone: v.boolean(),
  since: v.string(),
  /** When the next timer ends; absent without one. */
  due: v.exactOptional(v.string()),
  applicant: v.nullable(person),
  /** The events that the caller may send, of cases that wait; else none. */
  can: v.array(offer),
  version: v.string(),
})
export type FlowTodo = v.InferOutput<typeof todo>
const todoPage = v.object({
  records: v.array(todo),
  total: v.number(),
  size: v.number(),
  current: v.number(),
  /** Entities that have cases of the kind, whatever `tag` was asked for. */
  entities: v.array(v.object({ tag: v.string(), name: v.string() })),
})
export type FlowTodoPage = v.InferOutput<typeof todoPage>
const decided = v.object({
  tag: v.string(),
  id: v.string(),
  ok: v.boolean(),
  /** The state afterwards. */
  state: v.nullable(v.string()),
  name: v.nullable(v.string()),
  msg: v.nullable(v.string()),
})
export type FlowDecided = v.InferOutput<typeof decided>

/** Decisions of people on rows of definitions with `options.flow` (docs/rules/contract.md#flows). */
export const flow = {
  /** @throws 404 without a flow, or for a row that is not among the caller's */
  read: endpoint({
    method: 'GET',
    path: '/entity/{tag}/data/{id}/flow',
    access: 'entity:{tag}:view',
    query: v.strictObject({ ts: v.optional(text) }),
    answer: state,
  }),
  /**
   * @throws 409/40900 with the flow as it is now, when somebody was first; 403 where the caller is none of the
   * people asked; 422 for fields, a missing note, or a condition that the row does not meet
   */
  send: endpoint({
    method: 'POST',
    keyed: true,
    path: '/entity/{tag}/data/{id}/flow/{event}',
    access: 'entity:{tag}:view',
    body: v.strictObject(decision),
    answer: state,
  }),
  /** `mine`: to decide by me, begun by me, or decided by me. Newest first. */
  todo: endpoint({
    method: 'POST',
    keyed: false,
    path: '/flow/todo/page',
    access: 'staff',
    body: v.strictObject({
      mine: v.optional(v.picklist(todoKinds), 'open'),
      tag: v.optional(text),
      pageSize: v.optional(
        v.pipe(wholeNumber, v.minValue(1), v.maxValue(limits.maxPageSize)),
        limits.pageSize,
      ),
      pageNum: v.optional(v.pipe(wholeNumber, v.minValue(1)), 1),
    }),
    answer: todoPage,
  }),
  /** Several decisions, each by itself. `preview` writes nothing. */
  decide: endpoint({
    method: 'POST',
    keyed: true,
    path: '/flow/decide',
    access: 'staff',
    body: v.strictObject({
      preview: v.optional(v.boolean(), false),
      items: v.pipe(
        v.array(
          v.strictObject({
            tag: text,
            id: v.pipe(v.string(), v.maxLength(500)),
            event: text,
            ...decision,
          }),
        ),
        v.minLength(1),
        v.maxLength(100),
      ),
    }),
    answer: v.object({ results: v.array(decided) }),
    timeout: limits.transferTimeout,
  }),
}
