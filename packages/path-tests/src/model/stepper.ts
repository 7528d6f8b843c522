import {
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyTransitionDefinition,
  createActor,
  type EventObject,
  type ExecutableActionObject,
} from 'xstate'
import type { Named, Outcome } from './children.ts'
import { buildStartInput, type Model, onlySample, takePreparation } from './define-model.ts'
import { nameLoop } from './endless.ts'
import { countFromNow, runFrozen } from './frozen.ts'
import {
  type Crash,
  type ModelState,
  type Move,
  pendingCalls,
  type RunningChild,
  type Timer,
} from './model-state.ts'
import { resolveChild, readActions } from './read-actions.ts'
import { type Created, idleLogic, replaceChild, standInLogic } from './stand-ins.ts'
import type { Step } from './step.ts'
import { declaredTransitions, shortEvent } from '../explore/transitions.ts'
import { stableText } from './text.ts'

/** The machine of a model as a pure function of steps. */
export interface Stepper<Seen> {
  start(name: string): Move
  step(state: ModelState, step: Step): Move
  /** Every possible next step in a fixed order. All timers are offered; `schedule` decides which ends first. */
  steps(state: ModelState): Step[]
  key(state: ModelState): string
  seen(state: ModelState): Seen
}

/** Events that a machine sends to itself during one step. More mean that it never comes to rest. */
const mostToSelf = 1000
/** Runs a step of the machine: its first snapshot, or an event. */
type Run = (scope: ReturnType<typeof createRecordingScope>) => AnyMachineSnapshot

/** The machine as a pure function of steps; nothing of it or of its children runs besides. */
export function createStepper<Seen>(model: Model<Seen>): Stepper<Seen> {
  const { machine } = model
  const recorder = createRecorder(model)
  const looks = new WeakMap<AnyMachineSnapshot, { readonly seen: Seen }>()
  let now = 0
  const move = (before: ModelState, first: Run): Move => {
    now = before.now
    return makeMove(model, recorder, before, first)
  }
  return {
    start: (name) => {
      now = 0
      model.setup?.()
      const input = runFrozen(machine, 0, () => buildStartInput(model, name, { now: () => now }))
      return move(
        { snapshot: null as unknown as AnyMachineSnapshot, children: [], timers: [], now: 0 },
        (scope) => machine.getInitialSnapshot(scope, input),
      )
    },
    step: (state, step) => {
      const event = resolveStepEvent(state, step)
      if (step.kind === 'user') step.prepare?.()
      const before: ModelState = {
        ...state,
        children:
          step.kind === 'settle'
            ? state.children.filter(({ name }) => name !== step.call)
            : state.children,
        timers:
          step.kind === 'time' ? state.timers.filter(({ id }) => id !== step.timer) : state.timers,
      }
      return move(before, (scope) => machine.transition(before.snapshot, event, scope))
    },
    steps: (state) => {
      now = state.now
      return state.snapshot.status === 'active' ? listSteps(model, state) : []
    },
    key: (state) => {
      now = state.now
      return buildStateKey(model, state)
    },
    // A step that changes nothing leaves the same snapshot, which looks the same.
    seen: (state) => {
      const looked = looks.get(state.snapshot)
      if (looked !== undefined) return looked.seen
      now = state.now
      let isTimed = false
      const seen = model.project(state.snapshot, (id) => {
        isTimed = true
        const timer = state.timers.find((each) => each.id === id && each.ref !== null)
        return timer === undefined ? null : timer.since + timer.ms - state.now
      })
      if (!isTimed) looks.set(state.snapshot, { seen })
      return seen
    },
  }
}

/** The effects of one macrostep. */
interface Recorded {
  readonly snapshot: AnyMachineSnapshot
  readonly taken: readonly AnyTransitionDefinition[]
  readonly actions: readonly ExecutableActionObject[]
  readonly created: readonly Created[]
}
interface Recorder {
  readonly self: AnyActorRef
  readonly ids: ReturnType<typeof declaredTransitions>
  /** Runs one macrostep from a state. @throws what the machine throws */
  record(from: ModelState, run: Run): Recorded
}

/**
 * xstate's `transition` reports neither the transitions taken nor children spawned in an `assign`.
 * Therefore the machine's own `transition` is called with a scope whose system reports
 * `@xstate.microstep` and `@xstate.actor` and whose executor records actions without running them.
 * Children are replaced by stand-ins, so nothing of them runs.
 */
function createRecorder<Seen>(model: Model<Seen>): Recorder {
  let taken: AnyTransitionDefinition[] = []
  let actions: ExecutableActionObject[] = []
  let created: Created[] = []
  let current: ModelState | null = null
  let machineActor: AnyActorRef | null = null
  const parent = createActor(idleLogic(), {
    id: 'parent',
    inspect: (inspected) => {
      if (machineActor === null) return
      if (inspected.type === '@xstate.microstep' && inspected.actorRef === machineActor)
        taken.push(...inspected._transitions)
      const ref = inspected.actorRef as AnyActorRef
      if (inspected.type === '@xstate.actor' && readParent(ref) === machineActor)
        created.push(
          replaceChild(ref, listModelNames(current, created), (each) =>
            standInLogic(each, resolveChild(model, each)),
          ),
        )
    },
  })
  const self: AnyActorRef = createActor(idleLogic(), { id: model.machine.id, parent } as object)
  machineActor = self
  self.getSnapshot = () => current?.snapshot
  keepSystemIds(self, () => [
    ...(current?.children.map(({ ref }) => ref) ?? []),
    ...created.map(({ ref }) => ref),
  ])
  const scope = createRecordingScope(self, (action) => {
    actions.push(action)
  })
  const ids = declaredTransitions(model.machine)
  return {
    self,
    ids,
    record: (from, run) => {
      taken = []
      actions = []
      created = []
      current = from
      const snapshot = runFrozen(model.machine, from.now, () =>
        nameLoop(
          () => run(scope),
          () => taken.map((each) => ids.get(each) ?? each.source.id),
        ),
      )
      return { snapshot, taken, actions, created }
    },
  }
}

/** One macrostep after the other, until the machine sends itself nothing more. */
function makeMove<Seen>(
  model: Model<Seen>,
  { self, ids, record }: Recorder,
  before: ModelState,
  first: Run,
): Move {
  const { now } = before
  const effects: string[] = []
  const actions: ExecutableActionObject[] = []
  const taken: AnyTransitionDefinition[] = []
  const starts: Timer[] = []
  const stops: string[] = []
  let at = before
  let crash: Crash | null = null
  const queue: Run[] = [first]
  for (let count = 0; queue.length > 0 && crash === null; count += 1)
    try {
      if (count > mostToSelf)
        throw new Error(`the machine sent itself more than ${mostToSelf} events in one step`)
      const done = record(at, queue.shift() as Run)
      const { snapshot } = done
      const read = readActions(model, at, { self, now, ...done })
      at = { snapshot, children: read.children, timers: read.timers, now }
      effects.push(...read.effects)
      actions.push(...done.actions)
      taken.push(...done.taken)
      starts.push(...read.starts)
      stops.push(...read.stops)
      if (snapshot.status === 'error') crash = { kind: 'unhandled', error: snapshot.error }
      if (snapshot.status === 'active')
        for (const event of read.toSelf)
          queue.push((scope) => model.machine.transition(at.snapshot, event, scope))
    } catch (error) {
      crash = { kind: 'thrown', error }
    }
  const active = (at.snapshot as AnyMachineSnapshot | null)?.status === 'active'
  return {
    at: active ? at : { ...at, children: [], timers: [] },
    effects,
    actions: actions.map(({ type, params }) => ({ type, params })),
    taken: taken.flatMap((transition) => ids.get(transition) ?? []),
    starts: active ? starts : [],
    stops: active ? stops : [...stops, ...at.timers.map(({ id }) => id)],
    crash,
  }
}

function readParent(ref: AnyActorRef): unknown {
  return (ref as { _parent?: unknown })._parent
}

function listModelNames(
  state: ModelState | null,
  created: readonly Created[],
): ReadonlySet<string> {
  return new Set([
    ...(state?.children.map(({ name }) => name) ?? []),
    ...(state?.timers.map(({ id }) => id) ?? []),
    ...created.map(({ name }) => name),
  ])
}

/** `systemId`s of children of the state at hand. Those of other branches must not collide with them. */
function keepSystemIds(self: AnyActorRef, alive: () => readonly AnyActorRef[]): void {
  const system = self.system as unknown as { _set: unknown; get: unknown }
  system._set = () => {}
  system.get = (id: string) =>
    alive().findLast((ref) => (ref as { systemId?: string }).systemId === id)
}

/** An actor scope that records actions and does nothing else. */
function createRecordingScope(self: AnyActorRef, record: (action: ExecutableActionObject) => void) {
  const ignore = () => {}
  return {
    self,
    id: self.id,
    sessionId: self.sessionId,
    system: self.system,
    logger: ignore,
    defer: ignore,
    emit: ignore,
    stopChild: ignore,
    actionExecutor: record,
  } as Parameters<Model['machine']['transition']>[2]
}

/** The step's event with the ids of this state's children: xstate makes some of them anew in each run. */
function resolveStepEvent(state: ModelState, step: Step): EventObject {
  if (step.kind === 'time')
    return state.timers.find(({ id }) => id === step.timer)?.event ?? step.event
  if (step.kind === 'user') return step.event
  const name = step.kind === 'settle' ? step.call : step.child
  const id = state.children.find((child) => child.name === name)?.ref.id
  if (id === undefined || id === name) return step.event
  const [, kind] = /^(xstate\.(?:done\.actor|error\.actor|snapshot))\./.exec(step.event.type) ?? []
  return kind === undefined
    ? step.event
    : { ...step.event, type: `${kind}.${id}`, ...('actorId' in step.event ? { actorId: id } : {}) }
}

/** Ends of pending calls, events of children, events of the user, ends of timers. */
function listSteps<Seen>(model: Model<Seen>, state: ModelState): Step[] {
  const times = state.timers.map(({ id, event, ref }): Step => ({
    kind: 'time',
    label: ref === null ? shortEvent(event.type) : `${id} runs out`,
    event,
    timer: id,
  }))
  return [
    ...state.children.flatMap(childSteps),
    ...userSteps(model, state),
    ...withDistinctLabels(times, (step) => (step.kind === 'time' ? step.timer : '')),
  ]
}

/** Two delayed events of one type have the same label: the timer's name tells them apart. */
function withDistinctLabels(steps: readonly Step[], nameOf: (step: Step) => string): Step[] {
  return steps.map((step) =>
    steps.some((other) => other !== step && other.label === step.label)
      ? { ...step, label: `${step.label} (${nameOf(step)})` }
      : step,
  )
}

function childSteps(child: RunningChild): Step[] {
  const { name, as } = child
  if (as.kind === 'silent') return []
  if (as.kind === 'call') return settleSteps(child, resolveOutcomes(as.outcomes, child.input))
  return [
    ...Object.entries(as.events).map(([sample, event]): Step => ({
      kind: 'child',
      label: `${name}: ${sample}`,
      event,
      child: name,
      snapshot: false,
    })),
    ...Object.entries(as.snapshots).map(([sample, snapshot]): Step => ({
      kind: 'child',
      label: `${name} is ${sample}`,
      event: { type: `xstate.snapshot.${child.ref.id}`, snapshot } as EventObject,
      child: name,
      snapshot: true,
    })),
    ...settleSteps(child, as.outcomes),
  ]
}

function settleSteps(
  { name, source, ref: { id } }: RunningChild,
  outcomes: Named<Outcome>,
): Step[] {
  return Object.entries(outcomes).map(([ending, outcome]): Step => ({
    kind: 'settle',
    label: `${name} → ${ending}`,
    event: outcome.ok
      ? ({
          type: `xstate.done.actor.${id}`,
          output: outcome.output,
          actorId: id,
        } as EventObject)
      : ({ type: `xstate.error.actor.${id}`, error: outcome.error, actorId: id } as EventObject),
    call: name,
    source,
    outcome: { ...outcome, name: ending },
  }))
}

function resolveOutcomes(
  table: Named<Outcome> | ((input: never) => Named<Outcome>),
  input: unknown,
): Named<Outcome> {
  return typeof table === 'function' ? table(input as never) : table
}

function userSteps<Seen>(model: Model<Seen>, state: ModelState): Step[] {
  const { snapshot } = state
  const more = model.eventsIn?.(snapshot) ?? {}
  return Object.entries(model.events).flatMap(([type, samples]) => {
    const steps = Object.entries({ ...samples, ...more[type] })
      .map(([sample, data]) => {
        const event = { type, ...data } as EventObject
        const transitions = transitionsFor(model, state, event)
        return {
          kind: 'user' as const,
          label: sample === onlySample ? type : `${type}(${sample})`,
          event,
          sample,
          unhandled: transitions?.length === 0,
          inert:
            transitions?.every(
              ({ target, actions }) => target === undefined && actions.length === 0,
            ) === true,
          prepare: takePreparation(data),
        }
      })
      .filter(({ event }) => model.hidden?.(snapshot, event) !== true)
    const { unhandled = 'all' } = model
    if (unhandled === 'none' || (unhandled !== 'all' && !unhandled.includes(type)))
      return steps.filter((step) => !step.unhandled)
    // One sample is enough for an event without a handler; where a guard refuses some samples, each refusal is a step.
    return steps.every((step) => step.unhandled) ? steps.slice(0, 1) : steps
  })
}

/** The transitions an event would take; null when a guard throws, which the step itself reports. */
function transitionsFor(
  { machine }: Pick<Model, 'machine'>,
  { snapshot, now }: ModelState,
  event: EventObject,
): readonly AnyTransitionDefinition[] | null {
  try {
    return runFrozen(machine, now, () => machine.getTransitionData(snapshot, event))
  } catch {
    return null
  }
}

function buildStateKey<Seen>(model: Model<Seen>, state: ModelState): string {
  const { snapshot, timers } = state
  const history = Object.entries(snapshot.historyValue).map(
    // The order of the nodes depends on the way in which the state was entered.
    ([id, nodes]) =>
      ` ↶${id}=${nodes
        .map((node) => node.id)
        .sort()
        .join('+')}`,
  )
  const calls = pendingCalls(state).map(
    ({ name, input }) => ` ⇄${name}${model.wholeKey ? stableText(input) : ''}`,
  )
  const others = model.wholeKey
    ? state.children.filter(({ as }) => as.kind !== 'call').map(({ name }) => ` ▸${name}`)
    : []
  return [
    snapshot.status === 'active' ? '' : `${snapshot.status} `,
    model.wholeKey
      ? countFromNow(model.machine, model.key(snapshot), state.now)
      : model.key(snapshot),
    ...history.sort(),
    ...calls.sort(),
    ...others.sort(),
    ...timers.map(({ id }) => ` ⏱${id}`).sort(),
  ].join('')
}
