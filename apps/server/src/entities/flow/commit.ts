// Writes a step of a case: the row, other rows, the case, its log, timers, to-dos and notices.
import type { FlowName } from '@jiaowu/api/entity/definition/flow'
import type { Row } from '@jiaowu/api/entity/values'
import { type FlowStep, readStateKey } from '@jiaowu/machines/flow/flow'
import type { EventPart } from '@jiaowu/machines/flow/parts'
import { wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import { findStoredRows } from '../write/effects/stored-rows.ts'
import type { Change } from '../write/values/values.ts'
import { writeRows } from '../write/write-rows.ts'
import type { RowWriter } from '../write/writer.ts'
import { insertDecision, type StoredCase, updateCase, withTables } from './cases.ts'
import { type EffectTargets, listOwnChanges, performEffects, toWire } from './effects.ts'
import { findStateField } from './guard.ts'
import { sendFlowNotices } from './notify.ts'
import { issuePapers, type PaperWriter } from './papers.ts'
import type { KnownCase } from './read.ts'
import { type FlowReads, type FlowRow, loadFlowRow } from './row-people.ts'
import { writeTimers } from './timers.ts'
import { writeTodos } from './todos.ts'

/** Everything that a step needs from before its transaction. */
export interface StepWriter {
  readonly context: Context
  readonly entity: LoadedEntity
  readonly id: string
  /** Marked `flow: 'own'`. */
  readonly writer: RowWriter
  readonly reads: FlowReads
  readonly targets: EffectTargets
  readonly papers: PaperWriter
  /** Whether effects of the flow tell people. */
  readonly hasNotices: boolean
  /** Names the record in them. */
  readonly title: string
}

interface TakenStep {
  readonly known: KnownCase & { readonly stored: StoredCase }
  /** The row as it was locked. */
  readonly locked: Row
  readonly row: FlowRow
  readonly step: FlowStep
  readonly part: EventPart
  readonly event: FlowName
  /** Changes by the decider. */
  readonly asked: readonly Change[]
  readonly note: string | null
  /** Null for a timer. */
  readonly by: string | null
  /** The person in whose name a substitute acts. */
  readonly principal: string | null
}

/** Returns the key of the state afterwards. */
export async function commitStep(
  trx: AnyDatabase,
  { context, entity, id, writer, reads, targets, papers, title }: StepWriter,
  { known, locked, row, step, part, event, asked, note, by, principal }: TakenStep,
): Promise<string> {
  const { tenant } = context.subject
  const db = withTables(trx)
  const from = readStateKey(known.flowCase)
  const to = readStateKey(step.next)
  const effects = step.performs.flatMap((each) => each.effects)
  const whole = wholeAccess(entity, tenant)
  const filled = withChanges(row.scope, asked)
  const own = [...asked, ...listOwnChanges(whole, effects, filled)]
  const state = findStateField(entity, entity)
  const moved: Change[] =
    state === undefined || from === to ? [] : [{ field: state, value: toWire(state, to) }]
  // The last one of several changes of a field counts.
  const changes = [...new Map([...own, ...moved].map((change) => [change.field, change])).values()]
  if (changes.length > 0)
    await writeRows(trx, writer, [{ kind: 'update', id, changes, stored: locked }])
  await performEffects(
    trx,
    context,
    { entity, id, row },
    targets,
    effects,
    withChanges(filled, own),
  )
  const next = await updateCase(db, context, known.stored, step.next)
  await insertDecision(db, context, known.stored.id, {
    event: part.type,
    path: part.path,
    from,
    to,
    note,
    by,
    principal,
    fields: asked.map(({ field }) => field.definition.attrName),
  })
  const written = (await findStoredRows(trx, whole, [id])).get(id) ?? locked
  const after = await loadFlowRow(trx, tenant, known.flow, reads, written)
  await writeTimers(db, context, [{ stored: next, entered: step.entered }])
  await writeTodos(db, context, [{ stored: next, row: after }])
  await sendFlowNotices(db, context, { entity, stored: next, row: after, title, effects, event })
  const documents = await issuePapers(
    db,
    context,
    { entity, stored: next, row: after, effects },
    papers,
  )
  context.audit(
    {
      action: 'flow.decide',
      object: entity.tag,
      objectId: id,
      result: 'ok',
      detail: {
        event: part.type,
        from,
        to,
        ...(principal !== null && { for: principal }),
        ...(documents.length > 0 && { documents }),
      },
    },
    trx,
  )
  return to
}

function withChanges(
  scope: FlowRow['scope'],
  changes: readonly Change[],
): Readonly<Record<string, unknown>> {
  return {
    ...scope,
    ...Object.fromEntries(changes.map(({ field, value }) => [field.definition.attrName, value])),
  }
}
