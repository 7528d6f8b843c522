// A decision in a flow: one transaction that locks the row, asks the machine, writes the row, other rows, the case
// and its log. Two deciders at once: the second is told what happened (docs/rules/contract.md#flows).
import type { FlowStateAnswer } from '@jiaowu/api/contract/entity/flow'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import {
  decide,
  findOffer,
  type FlowOffer,
  listActive,
  listWaits,
  readStateKey,
} from '@jiaowu/machines/flow/flow'
import { meetsWhen } from '@jiaowu/machines/flow/machine'
import { type EventPart, type FlowParts, isForward } from '@jiaowu/machines/flow/parts'
import { mayDecide, type FlowPerson } from '@jiaowu/machines/flow/people'
import { accessTo, type EntityAccess, wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { type LoadedEntity, valueFields } from '../../model/definition/loaded.ts'
import { withDrawnPapers } from '../../model/papers.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { transact } from '../../platform/database/transact.ts'
import { wakeQueue } from '../../platform/jobs/queues.ts'
import { rememberWritten } from '../../platform/idempotency.ts'
import { type Fault, Invalid, notFound, Refusal } from '../../platform/refusal.ts'
import { checkedChoices, loadChoiceSources } from '../choices/check.ts'
import { type LockedRow } from '../read/row.ts'
import { findStoredRows } from '../write/effects/stored-rows.ts'
import type { Body, Change } from '../write/values/values.ts'
import { explainViolation } from '../write/violations.ts'
import { checkUpdate } from '../write/write.ts'
import { beginCase, explainStale, lockCase, NotTheirs, Previewed, StaleFlow } from './case-call.ts'
import { commitStep, type StepWriter } from './commit.ts'
import { loadStepWriter } from './step-writer.ts'
import { nameState, pick } from './names.ts'
import { findCase, type KnownCase, readFlow } from './read.ts'
import { listOwnOffers, listPersons, type OwnedOffer } from './persons.ts'
import { type FlowRow } from './row-people.ts'

export interface FlowDecisionBody {
  readonly version: string | number
  readonly note?: string | null | undefined
  readonly fields: Readonly<Record<string, unknown>>
}

/** An event that is sent, with all that is read before the transaction. */
interface Sending extends StepWriter {
  readonly event: string
  readonly body: FlowDecisionBody
  readonly access: EntityAccess
}

/**
 * Sends the event for the caller and answers the flow afterwards.
 * @throws Refusal 404, 403 with a line in the audit log, 409/40900 with the flow as it is; Invalid
 */
export async function sendEvent(
  context: Context,
  entity: LoadedEntity,
  id: string,
  event: string,
  body: FlowDecisionBody,
): Promise<FlowStateAnswer> {
  await run(await prepare(context, entity, id, event, body), false)
  return await readFlow(context, entity, id)
}

/** The key of the state that the event would lead to. Writes nothing. @throws as `sendEvent` */
export async function previewEvent(
  context: Context,
  entity: LoadedEntity,
  id: string,
  event: string,
  body: FlowDecisionBody,
): Promise<string> {
  return await run(await prepare(context, entity, id, event, body), true)
}

async function prepare(
  context: Context,
  entity: LoadedEntity,
  id: string,
  event: string,
  body: FlowDecisionBody,
): Promise<Sending> {
  const access = await accessTo(context, entity, 'view')
  const db = databaseOf(context)
  const whole = wholeAccess(entity, context.subject.tenant)
  const row = (await findStoredRows(db, whole, [id])).get(id)
  if (row === undefined) throw notFound()
  const { flow } = await findCase(db, context, entity, row)
  if (entity.definition.options.flow === undefined) throw new Refusal(409, { key: 'flow.gone' })
  const choices = checkedChoices(
    await loadChoiceSources(
      context,
      valueFields(entity).filter(({ definition }) =>
        Object.hasOwn(body.fields, definition.attrName),
      ),
    ),
  )
  const step = await loadStepWriter({ context, entity, id }, flow, { isJob: false, choices })
  return { ...step, event, body, access }
}

async function run(sending: Sending, isPreview: boolean): Promise<string> {
  const { context, entity, id, access } = sending
  const db = databaseOf(context)
  try {
    const state = await withDrawnPapers(context, sending.papers.drawable, () =>
      transact(db, async (trx) => {
        const to = await act(trx, sending)
        if (isPreview) throw new Previewed(to)
        rememberWritten(id)
        return to
      }),
    )
    if (sending.hasNotices) wakeQueue(context, 'notice')
    return state
  } catch (error) {
    if (error instanceof Previewed) return error.state
    if (error instanceof StaleFlow) throw await explainStale(context, entity, id)
    if (error instanceof NotTheirs) {
      await context.auditAlone({
        action: 'flow.decide',
        object: entity.tag,
        objectId: id,
        result: 'denied',
        detail: { event: sending.event },
      })
      throw error.refusal
    }
    return await explainViolation(access, { context, db, changes: [] })(error)
  }
}

async function act(trx: AnyDatabase, sending: Sending): Promise<string> {
  const { context, body, access } = sending
  const { locked, known, row, persons } = await lockCase(trx, sending, access, body.version)
  const offer = chooseOffer(sending, known, row, persons)
  const asked = checkAsked(sending, offer, locked)
  const step = decide(known.flow, known.flowCase, offer.part, offer.person, row.scope)
  if (step === null) throw new StaleFlow()
  const stored = known.stored ?? (await beginCase(trx, sending, known.flowCase))
  const note = isEmpty(body.note ?? null) ? null : (body.note ?? null)
  return await commitStep(trx, sending, {
    known: { ...known, stored },
    locked: locked.row,
    row,
    step,
    part: offer.part,
    event: offer.event.name,
    asked,
    note,
    by: context.subject.userId,
    principal: offer.principal?.userId ?? null,
  })
}

function chooseOffer(
  sending: Sending,
  { flow, flowCase }: KnownCase,
  row: FlowRow,
  persons: ReturnType<typeof listPersons>,
): OwnedOffer {
  const { context, event } = sending
  const offers = listOwnOffers(flow, flowCase, persons, row)
  const found = findOffer(offers, event)
  if (found !== undefined) return found
  const can = offers.map(({ name }) => name).join(', ') || '—'
  const key = event.split('.').at(-1) ?? event
  const parts = flow.parts.events.filter((part) => part.event !== null && part.key === key)
  const [first] = parts
  if (first?.event == null) throw notFound()
  const name = pick(context, first.event.name)
  if (offers.filter(({ part }) => part.key === event).length > 1)
    throw refuseEvent({ key: 'flow.several', params: { event: name, can } })
  const state = nameState(context, flow, readStateKey(flowCase))
  const active = new Set(['', ...(flowCase.isDone ? [] : listActive(flowCase))])
  const now = flowCase.isDone ? [] : parts.filter(({ path }) => active.has(path))
  if (now.length === 0)
    throw refuseEvent({ key: 'flow.notNow', params: { state, event: name, can } })
  const unmet = now.find(
    (part) =>
      part.people !== null &&
      persons.some(({ person }) => mayTake(flow.parts, flowCase, part, person)) &&
      !meetsWhen(part.event?.when ?? null, row.scope),
  )
  if (unmet !== undefined)
    throw refuseEvent({
      key: 'flow.condition',
      params: { event: name, name: unmet.event?.when ?? '' },
    })
  const waits = listWaits(flow, flowCase).filter(({ part }) => part.key === key)
  const who = waits
    .flatMap(({ terms }) => terms)
    .map((term) => ('role' in term ? term.role : 'person' in term ? term.person : ''))
    .filter((each) => each !== '')
  throw new NotTheirs(
    new Refusal(403, {
      key: 'flow.notYours',
      params: { event: name, state, who: [...new Set(who)].join(', ') || '—' },
    }),
  )
}

/** Whether the person may send the event, apart from its condition. */
function mayTake(
  parts: FlowParts,
  { context }: KnownCase['flowCase'],
  part: EventPart,
  person: FlowPerson,
): boolean {
  return (
    part.people !== null &&
    mayDecide(part.people, {
      context,
      person,
      state: part.path,
      type: part.type,
      isForward: isForward(parts, part),
      votes: context.votes[part.type] ?? [],
    })
  )
}

function refuseEvent(message: Fault['message']): Invalid {
  return new Invalid([{ path: 'event', rule: 'flow', message }])
}

/** The note, and the fields that the decider fills in. */
function checkAsked(
  { context, entity, body }: Sending,
  { event }: FlowOffer,
  { row }: LockedRow,
): readonly Change[] {
  const name = pick(context, event.name)
  const ask = event.ask ?? []
  const faults: Fault[] = []
  const hasNote = !isEmpty(body.note ?? null)
  if (event.note === 'required' && !hasNote)
    faults.push({ path: 'note', rule: 'required', message: { key: 'flow.noteRequired' } })
  if (event.note === undefined && hasNote)
    faults.push({
      path: 'note',
      rule: 'flow',
      message: { key: 'flow.noNote', params: { event: name } },
    })
  for (const key of Object.keys(body.fields))
    if (!ask.some(({ attrName }) => attrName === key))
      faults.push({
        path: key,
        rule: 'flow',
        message: { key: 'flow.notAsked', params: { event: name } },
      })
  const sent: Body = Object.fromEntries(
    Object.entries(body.fields).filter(([key]) => ask.some(({ attrName }) => attrName === key)),
  )
  const checked = checkUpdate(wholeAccess(entity, context.subject.tenant), row, sent, 0)
  const given = new Set(Object.keys(sent))
  // Faults of fields that the decider does not fill in are left out: they cannot mend them.
  faults.push(...checked.faults.filter(({ path }) => given.has(path)))
  const changes = checked.changes.filter(({ field }) => given.has(field.definition.attrName))
  for (const { attrName, required } of ask) {
    const change = changes.find(({ field }) => field.definition.attrName === attrName)
    const value = change === undefined ? (row[attrName] ?? null) : change.value
    if (required && isEmpty(value) && !faults.some(({ path }) => path === attrName))
      faults.push({ path: attrName, rule: 'required', message: { key: 'rule.required' } })
  }
  if (faults.length > 0) throw new Invalid(faults)
  return changes
}
