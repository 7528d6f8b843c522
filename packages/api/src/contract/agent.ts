import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { entityActions } from '../entity/permission.ts'
import { limits } from '../limits.ts'
import { type FlowStateAnswer, type FlowTodoPage, flow } from './entity/flow.ts'
import { text, values, wholeNumber, wireValue } from './shapes.ts'

/** Rows that one proposal may change. */
export const mostProposedRows = 100

const rowId = v.pipe(v.string(), v.minLength(1), v.maxLength(500))
const ids = v.pipe(v.array(rowId), v.minLength(1), v.maxLength(mostProposedRows))
const tag = v.pipe(text, v.maxLength(64))
const act = v.variant('kind', [
  v.strictObject({ kind: v.literal('create'), tag, values }),
  /** The same values for each row; all are changed or none. */
  v.strictObject({ kind: v.literal('update'), tag, ids, values }),
  v.strictObject({ kind: v.literal('delete'), tag, ids }),
  v.strictObject({
    kind: v.literal('flow'),
    tag,
    id: rowId,
    event: text,
    note: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(2000)))),
    fields: v.optional(values, {}),
  }),
])
/** A write that an agent proposes. */
export type ProposedAct = v.InferOutput<typeof act>

const proposalStates = ['open', 'confirmed', 'refused', 'expired'] as const

const heads = {
  id: v.string(),
  /** The name of the token, or of the program that called with the person's session. */
  agent: v.string(),
  kind: v.picklist(['create', 'update', 'delete', 'flow']),
  tag: v.string(),
  entity: v.string(),
  /** Rows that would change. */
  count: v.number(),
  state: v.picklist(proposalStates),
  createTime: v.string(),
  expiresAt: v.string(),
}
const proposal = v.object(heads)
export type Proposal = v.InferOutput<typeof proposal>
const preview = v.object({
  ...heads,
  /** Covers the act and the versions of its rows; sent back to confirm. */
  digest: v.string(),
  /** As the caller may see them; empty once it is decided. */
  rows: v.array(
    v.object({
      id: v.string(),
      title: v.string(),
      changes: v.array(v.object({ label: v.string(), from: wireValue, to: wireValue })),
    }),
  ),
  /** Why it could not be carried out now; null where it could. */
  fault: v.nullable(v.string()),
})
export type ProposalPreview = v.InferOutput<typeof preview>

/** Writes that agents propose and their person decides on (docs/agents.md). */
export const proposals = {
  /**
   * Tries the act without keeping it, and stores it. Never writes rows.
   * @throws as the act itself; 409 with too many open ones
   */
  propose: endpoint({
    method: 'POST',
    keyed: false,
    path: '/proposal',
    access: 'staff',
    fresh: 'depends',
    body: v.strictObject({ act }),
    answer: preview,
  }),
  /** One's own, newest first, at most 200; a program sees those of its token. */
  list: endpoint({ method: 'GET', path: '/proposal', access: 'staff', answer: v.array(proposal) }),
  /** With the preview as it is now. @throws 404 */
  read: endpoint({ method: 'GET', path: '/proposal/{id}', access: 'staff', answer: preview }),
  /**
   * Carries it out. Not for programs.
   * @throws 409 with a new preview when a row has changed, or once it is decided; 403 without the right any more
   */
  confirm: endpoint({
    method: 'POST',
    keyed: false,
    path: '/proposal/{id}/confirm',
    access: 'staff',
    fresh: 'depends',
    body: v.strictObject({ digest: text, count: wholeNumber }),
    answer: proposal,
    timeout: limits.transferTimeout,
  }),
  /** Not for programs. @throws 404, 409 */
  refuse: endpoint({
    method: 'POST',
    keyed: false,
    path: '/proposal/{id}/refuse',
    access: 'staff',
    answer: proposal,
  }),
} as const

const known = v.array(
  v.object({
    tag: v.string(),
    name: v.string(),
    can: v.array(v.picklist([...entityActions, 'decide'])),
  }),
)

/** Reads that the tools of agents need besides those on rows. */
export const agent = {
  /** Entities that the caller may view, and their rights on them. */
  entities: endpoint({ method: 'GET', path: '/agent/entity', access: 'staff', answer: known }),
  /** The person's cases of the entity that wait for them. */
  todo: endpoint({
    method: 'GET',
    path: '/agent/entity/{tag}/todo',
    access: 'entity:{tag}:view',
    query: v.strictObject({ pageNum: v.optional(wholeNumber, 1), ts: v.optional(text) }),
    answer: flow.todo.answer as v.GenericSchema<unknown, FlowTodoPage>,
  }),
  /** A case, with the decisions that the person may make. */
  case: endpoint({
    method: 'GET',
    path: '/agent/entity/{tag}/data/{id}/flow',
    access: 'entity:{tag}:view',
    query: v.strictObject({ ts: v.optional(text) }),
    answer: flow.read.answer as v.GenericSchema<unknown, FlowStateAnswer>,
  }),
} as const
