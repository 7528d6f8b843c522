// Calls on the case of a row: the row is locked, the caller's persons are found, and what ends a call in between.
import { staleCode } from '@jiaowu/api/problem'
import type { EntityAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { type LoadedEntity, readableFields } from '../../model/definition/loaded.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'
import { lockRow, type LockedRow } from '../read/row.ts'
import { insertCases, type StoredCase, withTables } from './cases.ts'
import { listPersons, loadPrincipals } from './persons.ts'
import { buildVersion, findCase, type KnownCase, readFlow } from './read.ts'
import { type FlowRow, listFlowReads, loadFlowRow } from './row-people.ts'
import { writeTimers } from './timers.ts'

interface CaseCall {
  readonly context: Context
  readonly entity: LoadedEntity
  readonly id: string
}

/** The case is no longer as the caller saw it. */
export class StaleFlow extends Error {}
/** Ends a call with a refusal that the audit log keeps. */
export class NotTheirs extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super('the step waits for others')
    this.refusal = refusal
  }
}
/** Rolls a preview back; `state` is its answer. */
export class Previewed extends Error {
  readonly state: string
  constructor(state: string) {
    super('previewed')
    this.state = state
  }
}

/**
 * Locks the row and its case, and reads the people of the row.
 * @param version as the caller saw the case; without one any will do
 * @throws Refusal 404, and 409 when the entity has no flow any more; StaleFlow
 */
export async function lockCase(
  trx: AnyDatabase,
  { context, entity, id }: CaseCall,
  access: EntityAccess,
  version?: string | number,
): Promise<{
  readonly locked: LockedRow
  readonly known: KnownCase
  readonly row: FlowRow
  readonly persons: ReturnType<typeof listPersons>
}> {
  const locked = await lockRow(trx, access, readableFields(entity), id)
  if (locked === undefined) throw notFound()
  const known = await findCase(trx, context, entity, locked.row, true)
  const { flow, flowCase } = known
  if (entity.definition.options.flow === undefined) throw new Refusal(409, { key: 'flow.gone' })
  if (version !== undefined && String(version) !== buildVersion(known.version, locked.row))
    throw new StaleFlow()
  const reads = listFlowReads(context, entity, flow)
  const row = await loadFlowRow(trx, context.subject.tenant, flow, reads, locked.row)
  const principals = await loadPrincipals(trx, context)
  return {
    locked,
    known,
    row,
    persons: listPersons(context, principals, entity.tag, row, flowCase),
  }
}

/** The case of a row from before the flow begins with its first decision. */
export async function beginCase(
  trx: AnyDatabase,
  { context, entity, id }: CaseCall,
  flowCase: KnownCase['flowCase'],
): Promise<StoredCase> {
  const { flow } = entity.definition.options
  if (flow === undefined) throw new Refusal(409, { key: 'flow.gone' })
  const cases = await insertCases(withTables(trx), context, entity, flow, [{ rowId: id, flowCase }])
  const stored = cases.get(id)
  if (stored === undefined) throw new StaleFlow()
  await writeTimers(withTables(trx), context, [{ stored, entered: null }])
  return stored
}

export async function explainStale(
  context: Context,
  entity: LoadedEntity,
  id: string,
): Promise<Refusal> {
  const current = await readFlow(context, entity, id)
  const last = current.log.at(-1)
  return new Refusal(
    409,
    last === undefined
      ? { key: 'flow.changed' }
      : {
          key: 'flow.moved',
          params: {
            name: last.by?.name ?? '—',
            at: last.at,
            event: last.name,
            state: current.name,
          },
        },
    { code: staleCode, data: current },
  )
}
