// The losses of a school when a flow is taken out of a definition, or the definition is deleted
// (docs/rules/contract.md#flows).
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import type { Context } from '../../model/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { findOwnedColumn } from './owners.ts'

interface FlowLoss {
  /** Open cases: without the flow they end as they began, without the definition nobody can decide them. */
  readonly open: number
  /** Fields of `owns` that anybody may change who may edit them. */
  readonly freed: readonly string[]
}

/** @param after null: the definition is deleted */
export async function loadFlowLoss(
  context: Context,
  before: EntityDefinition,
  after: EntityDefinition | null,
): Promise<FlowLoss> {
  const { flow } = before.options
  const isOut = after === null || (flow !== undefined && after.options.flow === undefined)
  const kept = new Set(
    after === null
      ? []
      : (after.options.flow?.owns ?? []).map((name) => findOwnedColumn(context, after, name)),
  )
  const freed = (flow?.owns ?? []).filter((name) => {
    const column = findOwnedColumn(context, before, name)
    return column !== null && !kept.has(column)
  })
  return { open: isOut ? await countOpenCases(context, before) : 0, freed }
}

async function countOpenCases(
  { database, subject }: Context,
  { schemaName, tableName }: EntityDefinition,
): Promise<number> {
  const { count } = await database.kysely
    .selectFrom('sys.flow_case')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('tenant_id', '=', subject.tenant)
    .where('table_name', '=', `${schemaName}.${tableName}`)
    .where('is_done', '=', false)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * A definition is deleted when its cases have ended, and after its flow was taken out, which the designer shows with
 * the fields that it frees.
 *
 * @param after the shipped definition that becomes visible again; null without one
 * @throws Refusal 409
 */
export async function assertNoFlowLost(
  context: Context,
  before: EntityDefinition,
  after: EntityDefinition | null,
): Promise<void> {
  const { open, freed } = await loadFlowLoss(context, before, after)
  if (open > 0 || freed.length > 0)
    throw new Refusal(409, {
      key: 'design.flowRemains',
      params: { n: open, fields: freed.length === 0 ? '—' : freed.join(', ') },
    })
}
