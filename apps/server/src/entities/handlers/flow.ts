import type { FlowDecided } from '@jiaowu/api/contract/entity/flow'
import { messageText } from '@jiaowu/api/texts/index'
import type { Context, ServerHandlers } from '../../model/context.ts'
import { Invalid, Refusal } from '../../platform/refusal.ts'
import { openCopy, sendCopies } from '../flow/copies.ts'
import { addDelegation, endDelegation, listDelegations } from '../flow/delegations.ts'
import { giveTask } from '../flow/hand.ts'
import { findReceivers } from '../flow/receivers.ts'
import { type FlowDecisionBody, previewEvent, sendEvent } from '../flow/decide.ts'
import { nameStateByKey } from '../flow/names.ts'
import { readFlow } from '../flow/read.ts'
import { pageTodos } from '../flow/todo-page.ts'

const loadFlowEntity = ({ registry, subject }: Context, tag: string) =>
  registry.get(subject.tenant, tag)

export const flowHandlers: ServerHandlers['flow'] = {
  read: async ({ params }, context) =>
    await readFlow(context, await loadFlowEntity(context, params.tag), params.id),
  send: async ({ params, body }, context) =>
    await sendEvent(
      context,
      await loadFlowEntity(context, params.tag),
      params.id,
      params.event,
      body,
    ),
  todo: ({ body }, context) => pageTodos(context, body),
  people: ({ query }, context) => findReceivers(context, query.q ?? ''),
  transfer: async ({ body: { tag, ...request } }, context) =>
    await giveTask(context, await loadFlowEntity(context, tag), { ...request, way: null }),
  add: async ({ body: { tag, ...request } }, context) =>
    await giveTask(context, await loadFlowEntity(context, tag), request),
  copy: async ({ body: { tag, ...request } }, context) => ({
    copied: await sendCopies(context, await loadFlowEntity(context, tag), request),
  }),
  openCopy: ({ params }, context) => openCopy(context, params.id),
  delegations: (_input, context) => listDelegations(context),
  delegate: ({ body }, context) => addDelegation(context, body),
  endDelegation: ({ params }, context) => endDelegation(context, params.id),
  decide: async ({ body: { items, preview } }, context) => {
    const results: FlowDecided[] = []
    for (const item of items) results.push(await decideOne(context, item, preview))
    return { results }
  },
}

/** A refusal of one decision stops none of the others. */
async function decideOne(
  context: Context,
  { tag, id, event, ...body }: FlowDecisionBody & { tag: string; id: string; event: string },
  isPreview: boolean,
): Promise<FlowDecided> {
  try {
    const entity = await loadFlowEntity(context, tag)
    const state = isPreview
      ? await previewEvent(context, entity, id, event, body)
      : (await sendEvent(context, entity, id, event, body)).state
    return { tag, id, ok: true, state, name: nameStateByKey(context, entity, state), msg: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const msg =
      error instanceof Invalid
        ? error
            .issues(context.locale)
            .map((issue) => issue.msg)
            .join(' ')
        : messageText(context.locale, error.text)
    return { tag, id, ok: false, state: null, name: null, msg }
  }
}
