// Moves open cases that began with an earlier revision of a flow to the flow as it is now, by a mapping of states
// (docs/rules/contract.md#flows). A case without a mapping goes on as it began.
import type { FlowCasesMoved } from '@jiaowu/api/contract/design'
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { compileFlow, readStateKey, startCaseAt } from '@jiaowu/machines/flow/flow'
import { type Message, messageText } from '@jiaowu/api/texts/index'
import { wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { transact } from '../../platform/database/transact.ts'
import { Invalid, Refusal } from '../../platform/refusal.ts'
import { rememberWritten } from '../../platform/idempotency.ts'
import { findStoredRows } from '../write/effects/stored-rows.ts'
import { writeRows } from '../write/write-rows.ts'
import type { RowWriter } from '../write/writer.ts'
import { lockCase, StaleFlow } from './case-call.ts'
import { insertDecision, listEarlierCases, updateCase, withTables } from './cases.ts'
import { toWire } from './effects.ts'
import { findStateField } from './guard.ts'
import { nameState } from './names.ts'
import { type FlowReads, listFlowReads, loadFlowRow } from './row-people.ts'
import { loadFlowWriter } from './step-writer.ts'
import { writeTimers } from './timers.ts'
import { writeTodos } from './todos.ts'

interface CaseMove {
  /** Old state to new state, outermost ones. */
  readonly map: Readonly<Record<string, string>>
  readonly note: string | null
  readonly preview: boolean
}

/** @throws Refusal 409 without a flow; Invalid for a target that is no open state of the flow */
export async function moveCases(
  context: Context,
  entity: LoadedEntity,
  { map, note, preview }: CaseMove,
): Promise<FlowCasesMoved> {
  const { flow } = entity.definition.options
  if (flow === undefined) throw new Refusal(409, { key: 'flow.gone' })
  assertTargets(flow, map)
  const cases = await listEarlierCases(context, entity, flow)
  const states = new Map<string, FlowCasesMoved['states'][number]>()
  for (const { state, flow: begun } of cases) {
    const known = states.get(state)
    const to = map[state] ?? null
    states.set(state, {
      state,
      name: known?.name ?? nameState(context, begun, state),
      count: (known?.count ?? 0) + 1,
      to,
      toName: to === null ? null : nameState(context, compileFlow(flow), to),
    })
  }
  const refused: { id: string; msg: string }[] = []
  let moved = 0
  if (preview) return { states: [...states.values()], moved, refused }
  const mover = await loadMover(context, entity, flow)
  for (const { rowId, state } of cases) {
    const to = map[state]
    if (to === undefined) continue
    const fault = await moveOne(mover, { id: rowId, from: state, to, note })
    if (fault === null) moved += 1
    else refused.push({ id: rowId, msg: messageText(context.locale, fault) })
  }
  return { states: [...states.values()], moved, refused }
}

/** A move decides nothing: it leads to no end. */
function assertTargets(flow: Flow, map: Readonly<Record<string, string>>): void {
  const { parts } = compileFlow(flow)
  const faults = Object.entries(map).flatMap(([from, to]) => {
    const part = to.includes('.') ? undefined : parts.states.get(to)
    return part === undefined || part.isFinal
      ? [
          {
            path: `map.${from}`,
            rule: 'flow',
            message: { key: 'flow.moveTarget' as const, params: { name: to } },
          },
        ]
      : []
  })
  if (faults.length > 0) throw new Invalid(faults)
}

interface OneMove {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly note: string | null
}

/** Loaded once for all moves to the flow. */
interface Mover {
  readonly context: Context
  readonly entity: LoadedEntity
  readonly flow: Flow
  readonly writer: RowWriter
  readonly reads: FlowReads
}

async function loadMover(context: Context, entity: LoadedEntity, flow: Flow): Promise<Mover> {
  return {
    context,
    entity,
    flow,
    writer: await loadFlowWriter(context, entity, { isJob: false }),
    reads: listFlowReads(context, entity, compileFlow(flow)),
  }
}

/** Null once the case has moved; else why it stays. */
async function moveOne(mover: Mover, move: OneMove): Promise<Message | null> {
  try {
    await transact(databaseOf(mover.context), async (trx) => {
      await writeMove(trx, mover, move)
      rememberWritten(move.id)
    })
    return null
  } catch (error) {
    if (error instanceof StaleFlow) return { key: 'flow.changed' }
    if (error instanceof Refusal) return error.text
    throw error
  }
}

async function writeMove(
  trx: AnyDatabase,
  { context, entity, flow, writer, reads }: Mover,
  { id, from, to, note }: OneMove,
): Promise<void> {
  const { tenant, userId } = context.subject
  const current = compileFlow(flow)
  const whole = wholeAccess(entity, tenant)
  const { locked, known } = await lockCase(trx, { context, entity, id }, whole)
  const { stored } = known
  // Somebody decided meanwhile, or the case moved before.
  if (stored === null || known.flowCase.isDone || readStateKey(known.flowCase) !== from)
    throw new StaleFlow()
  const { applicant, decided } = known.flowCase.context
  const begun = startCaseAt(current, applicant, to)
  // The rule `others` goes on to know who decided before the move.
  const next = { ...begun, context: { ...begun.context, decided } }
  const field = findStateField(entity, entity)
  if (field !== undefined && from !== to)
    await writeRows(trx, writer, [
      {
        kind: 'update',
        id,
        changes: [{ field, value: toWire(field, to) }],
        stored: locked.row,
      },
    ])
  const db = withTables(trx)
  const updated = await updateCase(db, context, { ...stored, flow: current }, next, {
    tag: entity.tag,
    flow,
  })
  await insertDecision(db, context, stored.id, {
    event: `${from}@move`,
    path: from,
    from,
    to,
    note,
    by: userId,
    fields: [],
  })
  const written = (await findStoredRows(trx, whole, [id])).get(id) ?? locked.row
  const row = await loadFlowRow(trx, tenant, current, reads, written)
  await writeTimers(db, context, [{ stored: updated, entered: null }])
  await writeTodos(db, context, [{ stored: updated, row }])
  context.audit(
    {
      action: 'flow.decide',
      object: entity.tag,
      objectId: id,
      result: 'ok',
      detail: { event: 'move', from, to },
    },
    trx,
  )
}
