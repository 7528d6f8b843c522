import { entityActions } from '@jiaowu/api/entity/permission'
import type { ServerHandlers } from '../../model/context.ts'
import { asPerson, mayDecide, mayOn } from '../agent/person.ts'
import {
  confirmProposal,
  listProposals,
  proposeAct,
  readProposal,
  refuseProposal,
} from '../agent/proposals.ts'
import { readFlow } from '../flow/read.ts'
import { pageTodos } from '../flow/todo-page.ts'
import { limits } from '@jiaowu/api/limits'

/** Reads for the tools of agents (docs/agents.md). */
export const agentHandlers: ServerHandlers['agent'] = {
  entities: async (_input, context) => {
    const all = await context.registry.all(context.subject.tenant)
    return all.flatMap((entity) => {
      const { tag, definition } = entity
      const can = [
        ...entityActions.filter((action) => mayOn(context, tag, action)),
        ...(mayDecide(context, entity) ? (['decide'] as const) : []),
      ]
      return can.includes('view') ? [{ tag, name: definition.name, can }] : []
    })
  },
  todo: async ({ params: { tag }, query: { pageNum } }, context) =>
    await pageTodos(await asPerson(context), {
      mine: 'open',
      order: 'since',
      tag,
      pageNum: Math.max(1, pageNum),
      pageSize: limits.pageSize,
    }),
  case: async ({ params: { tag, id } }, context) =>
    await readFlow(
      await asPerson(context),
      await context.registry.get(context.subject.tenant, tag),
      id,
    ),
}

/** Writes that agents propose (docs/agents.md). */
export const proposalHandlers: ServerHandlers['proposals'] = {
  propose: ({ body: { act } }, context) => proposeAct(context, act),
  list: (_input, context) => listProposals(context),
  read: ({ params }, context) => readProposal(context, params.id),
  confirm: ({ params, body }, context) => confirmProposal(context, params.id, body),
  refuse: ({ params }, context) => refuseProposal(context, params.id),
}
