// Decides cases of a flow and tells what may happen to them (docs/rules/contract.md#flows). Pure: the caller
// keeps the case.
import type { Flow, FlowEvent, FlowTerm } from '@jiaowu/api/entity/definition/flow'
import { type AnyStateMachine, initialTransition, type StateValue, transition } from 'xstate'
import { buildFlowMachine, type FlowMachineEvent, type PerformParams } from './machine.ts'
import type { FlowHand } from './hands.ts'
import {
  type EventPart,
  type FlowParts,
  isForward,
  joinPath,
  listAncestors,
  listParts,
} from './parts.ts'
import {
  buildTermKey,
  type FlowAddition,
  type FlowContext,
  type FlowPerson,
  isAsked,
  isOfApplicant,
  isTurn,
  isWaiting,
  listAdditions,
  listOpenTerms,
} from './people.ts'

export interface FlowCase {
  readonly value: StateValue
  readonly context: FlowContext
  readonly isDone: boolean
}

/** An event that a person may send now. */
export interface FlowOffer {
  /** `APPROVE`; in regions that both have it, with the region: `finance.APPROVE`. */
  readonly name: string
  readonly part: EventPart
  readonly event: FlowEvent
}

/** People for whom an event of a case waits. */
export interface FlowWait {
  readonly part: EventPart
  /** The terms of the flow that lack a decision. */
  readonly terms: readonly FlowTerm[]
  /** People and offices who were added to the step and whose turn it is. */
  readonly added: readonly FlowAddition[]
  /** People with the task of somebody else, and the giver. */
  readonly handed: readonly { readonly from: string; readonly to: string }[]
}

export interface FlowStep {
  readonly next: FlowCase
  readonly performs: readonly PerformParams[]
  /** Paths of the states that were entered, also anew. */
  readonly entered: ReadonlySet<string>
}

type FlowRow = FlowMachineEvent['row']

export interface CompiledFlow {
  readonly parts: FlowParts
  readonly machine: AnyStateMachine
}

const compiled = new WeakMap<Flow, CompiledFlow>()

/** @throws Error for a flow with faults of its shape, which no definition that was saved has */
export function compileFlow(flow: Flow): CompiledFlow {
  const known = compiled.get(flow)
  if (known !== undefined) return known
  const parts = listParts(flow)
  const [fault] = parts.faults
  if (fault !== undefined) throw new Error(`flow: ${fault.rule} at ${fault.at}`)
  const made = { parts, machine: buildFlowMachine(parts) }
  compiled.set(flow, made)
  return made
}

export function startCase({ machine }: CompiledFlow, applicant: string | null): FlowCase {
  const [snapshot] = initialTransition(machine, { applicant })
  return toCase(snapshot)
}

/** A case of a row that stood in the state, outermost, before the flow knew it. */
export function startCaseAt(
  compiledFlow: CompiledFlow,
  applicant: string | null,
  state: string,
): FlowCase {
  const { machine, parts } = compiledFlow
  const part = parts.states.get(state)
  if (part === undefined || state.includes('.')) return startCase(compiledFlow, applicant)
  const started = startCase(compiledFlow, applicant)
  const snapshot = machine.resolveState({ value: state, context: started.context })
  return { ...toCase(snapshot), isDone: part.isFinal }
}

/** The paths of the states that the case is in, outermost first. */
export function listActive({ value }: FlowCase): readonly string[] {
  const walk = (node: StateValue | undefined, path: string): readonly string[] =>
    node === undefined
      ? []
      : typeof node === 'string'
        ? [joinPath(path, node)]
        : Object.entries(node).flatMap(([key, inner]) => [
            joinPath(path, key),
            ...walk(inner, joinPath(path, key)),
          ])
  return walk(value, '').filter((path) => path !== '' && !path.endsWith('.'))
}

/** The outermost state, which the row's field holds. */
export function readStateKey({ value }: FlowCase): string {
  return typeof value === 'string' ? value : (Object.keys(value)[0] ?? '')
}

/** The events that the person may send, innermost states first. */
export function listOffers(
  flow: CompiledFlow,
  flowCase: FlowCase,
  person: FlowPerson,
  row: FlowRow,
): readonly FlowOffer[] {
  const { machine } = flow
  const types = listActiveEvents(flow, flowCase).filter((type) =>
    flow.parts.events.some(
      (part) =>
        part.type === type &&
        part.people !== null &&
        isAsked(part.people, person, flowCase.context, part.path),
    ),
  )
  // Most people are asked for nothing: the machine is spared.
  if (types.length === 0) return []
  const snapshot = restoreSnapshot(machine, flowCase)
  const offers = types.flatMap((type): FlowOffer[] => {
    const event: FlowMachineEvent = { type, by: person, row }
    const [taken] = machine.getTransitionData(snapshot, event as never) ?? []
    const no = (taken?.meta as { readonly no?: number } | undefined)?.no
    const part = flow.parts.events.find((each) => each.type === type && each.no === no)
    return part?.event === undefined || part.event === null
      ? []
      : [{ name: nameEvent(flow, flowCase, part), part, event: part.event }]
  })
  return offers.filter(
    ({ part }) =>
      !offers.some((other) => other.part.key === part.key && isWithin(other.part.path, part.path)),
  )
}

/** The offer that a caller names: by its name, or by its key where that is the only one. */
export function findOffer<T extends FlowOffer>(offers: readonly T[], name: string): T | undefined {
  const exact = offers.find((offer) => offer.name === name)
  const [only, more] = offers.filter(({ part }) => part.key === name)
  return exact ?? (more === undefined ? only : undefined)
}

/** Null where the person may not, or the row does not meet `when`. */
export function decide(
  { machine }: CompiledFlow,
  flowCase: FlowCase,
  { type }: Pick<EventPart, 'type'>,
  person: FlowPerson | null,
  row: FlowRow,
): FlowStep | null {
  const snapshot = restoreSnapshot(machine, flowCase)
  const event: FlowMachineEvent = { type, by: person, row }
  if (!snapshot.can(event as never)) return null
  const [next, actions] = transition(machine, snapshot, event as never)
  const listParams = (kind: string) =>
    (actions as readonly { readonly type: string; readonly params?: unknown }[]).flatMap((action) =>
      action.type === kind ? [action.params] : [],
    )
  return {
    next: toCase(next),
    performs: listParams('perform') as readonly PerformParams[],
    entered: new Set(listParams('enter').map((params) => (params as { state: string }).state)),
  }
}

/** Hands a task over, or adds somebody to a step. Null where `findHandFault` says why not. */
export function handTask(
  { machine }: CompiledFlow,
  flowCase: FlowCase,
  hand: FlowHand,
): FlowCase | null {
  const snapshot = restoreSnapshot(machine, flowCase)
  const event: FlowMachineEvent = { type: `@${hand.kind}`, by: hand.from, row: {}, hand }
  if (!snapshot.can(event as never)) return null
  const [next] = transition(machine, snapshot, event as never)
  return toCase(next)
}

/** The people whose decision the case waits for, by event. */
export function listWaits(flow: CompiledFlow, flowCase: FlowCase): readonly FlowWait[] {
  const { context } = flowCase
  const types = new Set(listActiveEvents(flow, flowCase))
  return flow.parts.events.flatMap((part) => {
    const { people, path, type } = part
    if (people === null || !types.has(type)) return []
    const open = listOpenTerms(people, context.votes[type] ?? [], context.applicant)
    if (isOfApplicant(people)) return [{ part, terms: open, added: [], handed: [] }]
    const deciding = { state: path, type, isForward: isForward(flow.parts, part) }
    const terms = isWaiting(context, path) ? [] : open
    const keys = new Set(terms.map(buildTermKey))
    const added = listAdditions(context, path).filter((each) => isTurn(each, context, deciding))
    const handed = (context.handed ?? []).filter(
      (each) => each.state === path && each.terms.some((key) => keys.has(key)),
    )
    return terms.length === 0 && added.length === 0 ? [] : [{ part, terms, added, handed }]
  })
}

/** The timers of the states that the case is in. */
export function listTimers({ parts }: CompiledFlow, flowCase: FlowCase): readonly EventPart[] {
  const active = new Set(flowCase.isDone ? [] : listActive(flowCase))
  return parts.events.filter(({ event, path }) => event === null && active.has(path))
}

/** The fields that may be changed where the case is; null where no state says so. */
export function listEditable({ parts }: CompiledFlow, flowCase: FlowCase): ReadonlySet<string> {
  return new Set(listActive(flowCase).flatMap((path) => parts.states.get(path)?.state?.edit ?? []))
}

function listActiveEvents({ parts }: CompiledFlow, flowCase: FlowCase): readonly string[] {
  if (flowCase.isDone) return []
  const active = new Set(['', ...listActive(flowCase)])
  const types = parts.events.filter(({ event, path }) => event !== null && active.has(path))
  return [...new Set(types.toReversed().map(({ type }) => type))].toReversed()
}

function nameEvent(flow: CompiledFlow, flowCase: FlowCase, part: EventPart): string {
  const same = listActiveEvents(flow, flowCase).filter((type) => {
    const other = flow.parts.events.find((each) => each.type === type)
    return (
      other !== undefined &&
      other.key === part.key &&
      !isWithin(other.path, part.path) &&
      !isWithin(part.path, other.path)
    )
  })
  if (same.length < 2) return part.key
  const regions = [part.path, ...listAncestors(part.path)].filter((path) => {
    const [outer = ''] = listAncestors(path)
    return flow.parts.states.get(outer)?.isParallel === true
  })
  return [...regions.toReversed().map((path) => path.split('.').at(-1)), part.key].join('.')
}

/** Whether `inner` lies within `outer`, and is not it. */
function isWithin(inner: string, outer: string): boolean {
  return inner !== outer && (outer === '' || inner.startsWith(`${outer}.`))
}

function restoreSnapshot(machine: AnyStateMachine, { value, context, isDone }: FlowCase) {
  return machine.resolveState({ value, context, ...(isDone && { status: 'done' as const }) })
}

function toCase(snapshot: { value: StateValue; context: unknown; status: string }): FlowCase {
  return {
    value: snapshot.value,
    context: dropUndefined(snapshot.context as FlowContext),
    isDone: snapshot.status === 'done',
  }
}

/** A case is data that is stored as JSON: what it lacks is not there. */
function dropUndefined(context: FlowContext): FlowContext {
  return Object.fromEntries(
    Object.entries(context).filter(([, value]) => value !== undefined),
  ) as unknown as FlowContext
}
