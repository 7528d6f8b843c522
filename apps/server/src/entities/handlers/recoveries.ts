import { accessTo } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { readFlow } from '../flow/read.ts'
import { loadRow } from '../read/row.ts'

/** Answers from the id of what a crashed request has written (docs/rules/contract.md#creates). */
export const entityRecoveries = {
  'flow.send': async (
    context: Context,
    { params }: { readonly params: Readonly<Record<string, string>> },
    ref: string,
  ) =>
    await readFlow(
      context,
      await context.registry.get(context.subject.tenant, params['tag'] ?? ''),
      ref,
    ),
  'entityData.create': async (
    context: Context,
    { params }: { readonly params: Readonly<Record<string, string>> },
    ref: string,
  ) => {
    const entity = await context.registry.get(context.subject.tenant, params['tag'] ?? '')
    return await loadRow(context, await accessTo(context, entity, 'add'), ref)
  },
}
