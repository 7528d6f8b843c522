// Hands a task of a case over, or adds somebody to its step: one transaction that locks the row, asks the machine,
// and writes the case, its log, its to-dos, a notice and the audit line (docs/rules/contract.md#flows).
import type { FlowHanded } from '@jiaowu/api/contract/entity/flow'
import { readStateKey, handTask, listActive } from '@jiaowu/machines/flow/flow'
import { findHandFault, type FlowHand } from '@jiaowu/machines/flow/hands'
import type { FlowAddWay, FlowPerson } from '@jiaowu/machines/flow/people'
import { accessTo, wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { type LoadedEntity } from '../../model/definition/loaded.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { transact } from '../../platform/database/transact.ts'
import { rememberWritten } from '../../platform/idempotency.ts'
import { wakeQueue } from '../../platform/jobs/queues.ts'
import { Invalid, Refusal } from '../../platform/refusal.ts'
import { insertDecision, updateCase, withTables } from './cases.ts'
import { beginCase, explainStale, lockCase, NotTheirs, Previewed, StaleFlow } from './case-call.ts'
import { sendHandNotice } from './notify.ts'
import { findAsked, listPersons, type Principal } from './persons.ts'
import { nameState } from './names.ts'
import { type KnownCase, readFlow } from './read.ts'
import { findDecider, findOffice, type Receiver, refuseReceiver } from './receivers.ts'
import { identifyPerson } from './row-people.ts'
import { loadRowTitle } from './row-title.ts'
import { writeTodos } from './todos.ts'

export interface HandRequest {
  readonly id: string
  readonly version: string | number
  readonly path?: string | undefined
  readonly preview: boolean
  /** Null: the task is handed over. */
  readonly way: FlowAddWay | null
  readonly to?: string | undefined
  readonly role?: string | undefined
  readonly note?: string | null | undefined
}

interface Handing {
  readonly context: Context
  readonly entity: LoadedEntity
  readonly request: Omit<HandRequest, 'version'> & { readonly version?: HandRequest['version'] }
  /** A leaving person whose task the caller, an administrator of accounts, hands over; null for an own task. */
  readonly leaver: Context['subject'] | null
  /** Names the record in the notice. */
  readonly title: string
  readonly whom: {
    readonly person: string | null
    readonly role: string | null
    readonly name: string
    readonly receiver: Receiver | null
  }
}

/** @throws Refusal 404, 403 with a line in the audit log, 409/40900 with the flow as it is; Invalid */
export async function giveTask(
  context: Context,
  entity: LoadedEntity,
  request: HandRequest,
): Promise<FlowHanded> {
  // A record outside the rights of the caller is not found.
  await accessTo(context, entity, 'view')
  const whom = await findWhom(context, entity, request)
  const title = await loadRowTitle(context, entity, request.id)
  const handing: Handing = { context, entity, request, whom, title, leaver: null }
  const action = request.way === null ? 'flow.transfer' : 'flow.add'
  try {
    const step = await transact(databaseOf(context), async (trx) => {
      const done = await writeHand(trx, handing, action)
      if (request.preview) throw new Previewed(done)
      rememberWritten(request.id)
      return done
    })
    wakeQueue(context, 'notice')
    return { whom: whom.name, step, flow: await readFlow(context, entity, request.id) }
  } catch (error) {
    if (error instanceof Previewed) return { whom: whom.name, step: error.state, flow: null }
    if (error instanceof StaleFlow) throw await explainStale(context, entity, request.id)
    if (!(error instanceof NotTheirs)) throw error
    await context.auditAlone({
      action,
      object: entity.tag,
      objectId: request.id,
      result: 'denied',
      detail: { path: request.path ?? '' },
    })
    throw error.refusal
  }
}

export async function findWhom(
  context: Context,
  entity: LoadedEntity,
  { id, to, role }: Pick<HandRequest, 'id' | 'to' | 'role'>,
): Promise<Handing['whom']> {
  if (to !== undefined && role === undefined) {
    const receiver = await findDecider(context, entity, id, to)
    return { person: receiver.id, role: null, name: receiver.name, receiver }
  }
  if (role === undefined || to !== undefined) throw refuseReceiver('flow.hand.nobody')
  return { person: null, role, name: await findOffice(context, role), receiver: null }
}

/** Writes the act in the transaction, and answers the name of its step. */
export async function writeHand(
  trx: AnyDatabase,
  { context, entity, request, whom, leaver, title }: Handing,
  action: 'flow.transfer' | 'flow.add',
): Promise<string> {
  const { userId } = context.subject
  const { id, version, note = null } = request
  const access =
    leaver === null
      ? await accessTo(context, entity, 'view')
      : wholeAccess(entity, context.subject.tenant)
  const call = { context, entity, id }
  const { known, row, persons: own } = await lockCase(trx, call, access, version)
  const persons =
    leaver === null ? own : listPersons({ subject: leaver }, [], entity.tag, row, known.flowCase)
  const task = chooseTask(context, known, request, persons)
  const { path, person } = task
  const inNameOf = leaver ?? task.principal
  const { applicant } = known.flowCase.context
  const { receiver } = whom
  const isApplicant =
    receiver !== null &&
    identifyPerson({ userId: receiver.id, person: receiver.person }, applicant) === applicant
  if (isApplicant) throw refuseReceiver('flow.hand.applicant', { name: whom.name })
  const hand = buildHand(request, whom, path, person)
  const next = handTask(known.flow, known.flowCase, hand)
  if (next === null) throw refuseHand(context, known, hand, whom.name)
  const db = withTables(trx)
  const stored = known.stored ?? (await beginCase(trx, call, known.flowCase))
  const updated = await updateCase(db, context, stored, next)
  const state = readStateKey(next)
  await insertDecision(db, context, stored.id, {
    event: `${path}@${request.way ?? 'transfer'}`,
    path,
    from: state,
    to: state,
    note: note === '' ? null : note,
    by: userId,
    fields: [],
    principal: inNameOf?.userId ?? null,
    whom: { person: whom.person, role: whom.role },
  })
  await writeTodos(db, context, [{ stored: updated, row }])
  await sendHandNotice(db, context, {
    entity,
    stored: updated,
    title,
    act: request.way ?? 'transfer',
    whom,
    note,
  })
  context.audit(
    {
      action,
      object: entity.tag,
      objectId: id,
      result: 'ok',
      detail: {
        path,
        way: request.way ?? 'transfer',
        ...(whom.person === null ? { role: whom.role ?? '' } : { to: whom.person }),
        ...(inNameOf !== null && { for: inNameOf.userId }),
      },
    },
    trx,
  )
  return nameState(context, known.flow, path)
}

/** The step that waits for the caller, as themselves or as a substitute. */
function chooseTask(
  context: Context,
  { flow, flowCase }: KnownCase,
  { path: asked }: Pick<HandRequest, 'path'>,
  persons: ReturnType<typeof listPersons>,
): {
  readonly path: string
  readonly person: FlowPerson
  readonly principal: Principal | null
} {
  const active = flowCase.isDone ? [] : listActive(flowCase)
  const tasks = active.flatMap((path) => {
    const found = findAsked(flow, flowCase, path, persons)
    return found === undefined ? [] : [{ path, ...found }]
  })
  const mine = asked === undefined ? tasks : tasks.filter(({ path }) => path === asked)
  const [task, more] = mine
  if (task === undefined)
    throw new NotTheirs(
      new Refusal(403, {
        key: 'flow.hand.notYours',
        params: { state: nameState(context, flow, readStateKey(flowCase)) },
      }),
    )
  if (more !== undefined)
    throw new Invalid([
      {
        path: 'path',
        rule: 'flow',
        message: {
          key: 'flow.hand.several',
          params: { names: mine.map(({ path }) => path).join(', ') },
        },
      },
    ])
  return task
}

function buildHand(
  { way }: Pick<HandRequest, 'way'>,
  { person, role }: Handing['whom'],
  state: string,
  from: FlowPerson,
): FlowHand {
  if (way !== null) return { kind: 'add', state, from, way, person, role }
  if (person === null) throw refuseReceiver('flow.hand.nobody')
  return { kind: 'transfer', state, from, to: person }
}

function refuseHand(context: Context, known: KnownCase, hand: FlowHand, name: string): Refusal {
  const fault = findHandFault(known.flow.parts, known.flowCase.context, hand)
  if (fault === null) throw new Error('the machine refuses what its rules allow')
  const state = nameState(context, known.flow, hand.state)
  return refuseReceiver(`flow.hand.${fault}`, { name, state }, hand.kind === 'add' ? 'way' : 'to')
}
