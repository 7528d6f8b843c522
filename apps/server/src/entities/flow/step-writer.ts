// Reads everything that a step needs from before its transaction.
import { listEffects } from '@jiaowu/machines/flow/parts'
import type { CompiledFlow } from '@jiaowu/machines/flow/flow'
import { wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { auditEach } from '../write/audit-rows.ts'
import { createDerivation } from '../write/values/derive.ts'
import type { RowWriter } from '../write/writer.ts'
import type { StepWriter } from './commit.ts'
import { loadEffectTargets } from './effects.ts'
import { loadPaperWriter } from './papers.ts'
import { listFlowReads } from './row-people.ts'
import { loadRowTitle } from './row-title.ts'

export async function loadStepWriter(
  { context, entity, id }: Pick<StepWriter, 'context' | 'entity' | 'id'>,
  flow: CompiledFlow,
  own: Pick<RowWriter, 'isJob' | 'choices'>,
): Promise<StepWriter> {
  const effects = listEffects(flow.parts)
  const hasNotices = effects.some((effect) => 'notify' in effect || 'copy' in effect)
  return {
    context,
    entity,
    id,
    reads: listFlowReads(context, entity, flow),
    hasNotices,
    title: hasNotices ? await loadRowTitle(context, entity, id) : id,
    targets: await loadEffectTargets(context, entity, effects),
    papers: await loadPaperWriter(context, entity, flow),
    writer: await loadFlowWriter(context, entity, own),
  }
}

/** Writes rows as the flow itself does, which alone may change their state. */
export async function loadFlowWriter(
  context: Context,
  entity: LoadedEntity,
  own: Pick<RowWriter, 'isJob' | 'choices'>,
): Promise<RowWriter> {
  return {
    ...own,
    context,
    entity,
    add: null,
    change: wholeAccess(entity, context.subject.tenant),
    derive: await createDerivation(context, entity),
    audit: auditEach(context, entity, 'entity.update'),
    flow: 'own',
    flowTag: entity.tag,
  }
}
