import * as v from 'valibot'
import { endpoint, fileEndpoint } from '../../endpoint.ts'
import { flowAddWays } from '../../entity/definition/flow.ts'
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
  /** The person in whose name the caller may send it, as a substitute; absent in one's own. */
  for: v.exactOptional(person),
  /** Whether it refuses: leads back, or to an end in red or grey. */
  isRefusal: v.exactOptional(v.boolean()),
})
const logLine = v.object({
  /** `YYYY-MM-DD HH:mm:ss` */
  at: v.string(),
  /** Null for a timer. */
  by: v.nullable(person),
  /** The person in whose name a substitute acted. */
  for: v.exactOptional(person),
  /** Whoever was given the task, or added to the step, by name. */
  whom: v.exactOptional(v.string()),
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
  /** Documents that the case has issued, oldest first; absent without any. */
  documents: v.exactOptional(
    v.array(
      v.object({
        number: v.string(),
        name: v.string(),
        issuedAt: v.string(),
        revokedAt: v.nullable(v.string()),
      }),
    ),
  ),
  /** Fields that may be changed now. */
  edit: v.array(v.string()),
  /** The steps that wait for the caller, and how they may share them: hand over (转办), add somebody (加签). */
  tasks: v.array(
    v.object({
      path: v.string(),
      name: v.string(),
      transfer: v.boolean(),
      add: v.array(v.picklist(flowAddWays)),
    }),
  ),
  /** Whether the caller may send copies to others (抄送). */
  copy: v.boolean(),
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
/** Kinds of the list of to-dos: mine to decide, cases I began, cases I decided in, cases I got a copy of. */
export const todoKinds = ['open', 'started', 'decided', 'copied'] as const
export type TodoKind = (typeof todoKinds)[number]
/** Newest first; or by the next timer, cases without one last. */
export const todoOrders = ['since', 'due'] as const
export type TodoOrder = (typeof todoOrders)[number]
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
  /** Where the caller got a copy of the case. */
  copy: v.exactOptional(
    v.object({ id: v.string(), by: v.nullable(v.string()), at: v.string(), isRead: v.boolean() }),
  ),
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

const day = v.pipe(v.string(), v.isoDate())
const reason = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(500))
const task = {
  tag: text,
  id: v.pipe(v.string(), v.maxLength(500)),
  version,
  /** The step, where several wait for the caller. */
  path: v.optional(v.pipe(v.string(), v.maxLength(200))),
  /** Writes nothing. */
  preview: v.optional(v.boolean(), false),
}
const handed = v.object({
  /** The person or office, by name. */
  whom: v.string(),
  /** The step, by name. */
  step: v.string(),
  /** Null for a preview. */
  flow: v.nullable(state),
})
/** An act on the people of a step, or a preview of one. */
export type FlowHanded = v.InferOutput<typeof handed>
const delegation = v.object({
  id: v.string(),
  /** Decides in the name of `by`. */
  to: person,
  by: person,
  /** First and last day, `YYYY-MM-DD`. */
  from: v.string(),
  until: v.string(),
  /** Entities; empty for all. */
  tags: v.array(v.string()),
  note: v.nullable(v.string()),
  /** Whether it counts today. */
  isActive: v.boolean(),
})
export type FlowDelegation = v.InferOutput<typeof delegation>
const delegations = v.object({
  /** By the caller, and to the caller; without those that are over. */
  given: v.array(delegation),
  received: v.array(delegation),
})
export type FlowDelegations = v.InferOutput<typeof delegations>
const people = v.object({
  people: v.array(v.object({ id: v.string(), name: v.string(), org: v.nullable(v.string()) })),
  /** Offices, by the code of their role. */
  roles: v.array(v.object({ code: v.string(), name: v.string() })),
})
/** People and offices that a task can be given to. */
export type FlowPeopleFound = v.InferOutput<typeof people>
const copied = v.object({
  tag: v.string(),
  id: v.string(),
  entity: v.string(),
  title: v.string(),
  note: v.nullable(v.string()),
  by: v.nullable(v.string()),
  at: v.string(),
  /** The case with nothing to do in it, and no field of the row. */
  flow: state,
})
/** A case as whoever got a copy of it reads it. */
export type FlowCopied = v.InferOutput<typeof copied>
/** Files of a case (docs/rules/contract.md#flows). */
export const paper = {
  /** @throws 404 for a row that is not among the caller's, another case's number, or a revoked document */
  download: fileEndpoint({
    method: 'GET',
    path: '/entity/{tag}/data/{id}/flow/document/{number}',
    access: 'entity:{tag}:view',
    query: v.strictObject({ ts: v.optional(text) }),
  }),
  /**
   * The sheet of a case, signed: the record as the caller sees it, every decision with its note. Kept nowhere.
   * @throws 404 without a flow, or for a row that is not among the caller's; 422 naming what cannot be drawn
   */
  print: fileEndpoint({
    method: 'GET',
    path: '/entity/{tag}/data/{id}/flow/sheet',
    access: 'entity:{tag}:view',
    query: v.strictObject({ ts: v.optional(text) }),
  }),
}

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
    // Documents that the decision issues are drawn on trial.
    timeout: limits.transferTimeout,
  }),
  /** `mine`: to decide by me, begun by me, or decided by me. Newest first, or what is due first. */
  todo: endpoint({
    method: 'POST',
    keyed: false,
    path: '/flow/todo/page',
    access: 'staff',
    body: v.strictObject({
      mine: v.optional(v.picklist(todoKinds), 'open'),
      tag: v.optional(text),
      order: v.optional(v.picklist(todoOrders), 'since'),
      /** Only cases whose next timer ends within so many days, or has ended. */
      dueWithin: v.optional(v.pipe(wholeNumber, v.minValue(0), v.maxValue(366))),
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
  /** People of the school who can sign in, by a part of their name or account, and offices. At most 20 of each. */
  people: endpoint({
    method: 'GET',
    path: '/flow/people',
    access: 'staff',
    query: v.strictObject({ q: v.optional(v.pipe(text, v.maxLength(60))), ts: v.optional(text) }),
    answer: people,
  }),
  /**
   * 转办: hands the caller's task to another, who decides it instead. The case changes its version.
   * @throws as `send`; 422 where the flow, or a rule about who decides, stands against it
   */
  transfer: endpoint({
    method: 'POST',
    keyed: true,
    path: '/flow/transfer',
    access: 'staff',
    body: v.strictObject({ ...task, to: text, note: reason }),
    answer: handed,
  }),
  /** 加签: adds a person or an office to the step of this case. @throws as `transfer` */
  add: endpoint({
    method: 'POST',
    keyed: true,
    path: '/flow/add',
    access: 'staff',
    body: v.strictObject({
      ...task,
      way: v.picklist(flowAddWays),
      /** One of both. */
      to: v.optional(text),
      role: v.optional(text),
      note: v.optional(v.nullable(reason)),
    }),
    answer: handed,
  }),
  /** 抄送: sends copies of the case. One who may not view the record reads the case alone. */
  copy: endpoint({
    method: 'POST',
    keyed: true,
    path: '/flow/copy',
    access: 'staff',
    body: v.strictObject({
      tag: text,
      id: task.id,
      to: v.pipe(v.array(text), v.minLength(1), v.maxLength(20)),
      note: v.optional(v.nullable(reason)),
    }),
    answer: v.object({ copied: v.number() }),
  }),
  /** Reads a copy of the caller, and marks it as read. @throws 404 */
  openCopy: endpoint({
    method: 'POST',
    keyed: false,
    path: '/flow/copy/{id}/read',
    access: 'staff',
    answer: copied,
  }),
  delegations: endpoint({
    method: 'GET',
    path: '/flow/delegation',
    access: 'staff',
    query: v.strictObject({ ts: v.optional(text) }),
    answer: delegations,
  }),
  /** 委托: a substitute decides in the caller's name, from day to day. Answers all of the caller's. */
  delegate: endpoint({
    method: 'POST',
    keyed: true,
    path: '/flow/delegate',
    access: 'staff',
    body: v.strictObject({
      to: text,
      from: day,
      until: day,
      tags: v.optional(v.pipe(v.array(text), v.maxLength(50)), []),
      note: v.optional(v.nullable(reason)),
    }),
    answer: delegations,
  }),
  /** Ends one's own. @throws 404 */
  endDelegation: endpoint({
    method: 'DELETE',
    path: '/flow/delegation/{id}',
    access: 'staff',
    answer: delegations,
  }),
}
