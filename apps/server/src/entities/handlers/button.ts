import type { ServerHandlers } from '../../model/context.ts'
import { accessTo } from '../../access/access.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'

/** Custom buttons of an entity (docs/rules/contract.md#definitions). */
export const buttonHandlers = {
  press: async ({ params: { tag, code } }, context) => {
    const { entity } = await accessTo(
      context,
      await context.registry.get(context.subject.tenant, tag),
      'view',
    )
    const button = entity.definition.buttons.find((each) => each.code === code && each.status === 1)
    if (button === undefined) throw notFound()
    if (button.eventType === 2) throw new Refusal(501, { key: 'entity.sqlButton' })
    return { actions: Array.isArray(button.eventContent) ? button.eventContent : [] }
  },
} satisfies ServerHandlers['button']
