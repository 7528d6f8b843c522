// The events that the caller may send for several cases, with one read of rows for each flow.
import type { FlowStateAnswer } from '@jiaowu/api/contract/entity/flow'
import type { CompiledFlow, FlowCase } from '@jiaowu/machines/flow/flow'
import { wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { findStoredRows } from '../write/effects/stored-rows.ts'
import { nameOffers } from './read.ts'
import { listOwnOffers, listPersons, type Principal } from './persons.ts'
import { listFlowReads, loadFlowRows } from './row-people.ts'

interface OfferedCase {
  readonly id: string
  readonly tag: string
  readonly row_id: string
  readonly facts: FlowCase
  readonly revision_id: string
}

/**
 * By the id of the case. `flows` by the id of their revision. Cases of an entity without a flow offer
 * nothing.
 */
export async function loadOffers(
  context: Context,
  flows: ReadonlyMap<string, CompiledFlow>,
  cases: readonly OfferedCase[],
  principals: readonly Principal[],
): Promise<ReadonlyMap<string, FlowStateAnswer['can']>> {
  const { tenant } = context.subject
  const db = databaseOf(context)
  const found = new Map<string, FlowStateAnswer['can']>()
  const groups = Map.groupBy(cases, ({ tag, revision_id }) => `${tag} ${revision_id}`)
  for (const group of groups.values()) {
    const [first] = group
    const flow = flows.get(first?.revision_id ?? '')
    const entity = await context.registry.find(tenant, first?.tag ?? '')
    if (flow === undefined || entity?.definition.options.flow === undefined) continue
    const stored = await findStoredRows(
      db,
      wholeAccess(entity, tenant),
      group.map(({ row_id }) => row_id),
    )
    const known = group.flatMap((each) => {
      const row = stored.get(each.row_id)
      return row === undefined ? [] : [{ ...each, row }]
    })
    const rows = await loadFlowRows(
      db,
      tenant,
      flow,
      listFlowReads(context, entity, flow),
      known.map(({ row }) => row),
    )
    known.forEach(({ id, facts }, i) => {
      const row = rows[i]
      if (row === undefined) return
      const persons = listPersons(context, principals, entity.tag, row, facts)
      const offers = listOwnOffers(flow, facts, persons, row)
      found.set(id, nameOffers(context, flow, offers))
    })
  }
  return found
}
