import {
  type AnyMachineSnapshot,
  type AnyTransitionDefinition,
  createActor,
  type EventObject,
  type ExecutableActionObject,
} from 'xstate'
import {
  type Cases,
  inputOf,
  type NamedOutcome,
  type Outcome,
  type Spec,
  startsOf,
  type Step,
} from './spec.ts'
import { declaredTransitions, shortEvent, type TransitionId } from './transitions.ts'

export interface Call {
  readonly id: string
  readonly port: string
  readonly input: unknown
}
export interface Timer {
  readonly id: string
  readonly ms: number
  readonly since: number
  readonly event: EventObject
  readonly child: boolean
}
/** A model state: the machine's snapshot and what is under way outside it. */
export interface World {
  readonly snapshot: AnyMachineSnapshot
  readonly waiting: readonly Call[]
  readonly timers: readonly Timer[]
  readonly now: number
}
export interface Action {
  readonly type: string
  readonly params: unknown
}
export interface Move {
  readonly world: World
  /** What the step does to the world outside, as a driver tells it: `call port {input}`, `emit {event}`, `send child {event}`. */
  readonly effects: readonly string[]
  readonly actions: readonly Action[]
  /** Every transition taken, `always` and raised events included. */
  readonly taken: readonly TransitionId[]
  readonly starts: readonly Timer[]
  /** Timers that were stopped before they ran out. */
  readonly stops: readonly string[]
}
export interface Model<Seen> {
  start(name: string): Move
  step(world: World, step: Step): Move
  /** All that can happen next, in a fixed order. Timers are all offered: which is first is `schedule`'s matter. */
  steps(world: World): Step[]
  key(world: World): string
  seen(world: World): Seen
}

export function callEffect(port: string, input: unknown): string {
  return `call ${port} ${JSON.stringify(input) ?? ''}`.trim()
}

export const emitEffect = (event: object): string => `emit ${JSON.stringify(event)}`

/** What a machine tells a child of its own. */
export function sendEffect(child: string, event: object): string {
  return `send ${child} ${JSON.stringify(event)}`
}

export const later = (world: World, ms: number): World => ({ ...world, now: world.now + ms })

/** The world at the moment a step happens, if it happens as soon as it can: a timer's end comes when the timer is due. */
export function whenDue(world: World, step: Step): World {
  const timer = step.kind === 'time' ? world.timers.find(({ id }) => id === step.timer) : undefined
  return timer === undefined
    ? world
    : { ...world, now: Math.max(world.now, timer.since + timer.ms) }
}

export function stateOf({ snapshot }: World): string {
  return typeof snapshot.value === 'string' ? snapshot.value : JSON.stringify(snapshot.value)
}

/**
 * The machine as a pure function of steps. xstate's own `transition` throws away which transitions were taken; so the machine's `transition`
 * is called with a scope of ours, whose system tells it (`@xstate.microstep`), and which runs no action.
 */
export function createModel<Seen>(spec: Spec<Seen>): Model<Seen> {
  const { machine } = spec
  const ids = declaredTransitions(machine)
  let now = 0
  let taken: AnyTransitionDefinition[] = []
  let actions: ExecutableActionObject[] = []
  const input = (start: string) => inputOf(spec, start, { now: () => now })
  let ready = false
  const self = createActor(machine, {
    input: input(startsOf(spec)[0] ?? ''),
    inspect: (told) => {
      if (told.type === '@xstate.microstep' && ready && told.actorRef === self)
        taken.push(...told._transitions)
    },
  })
  ready = true
  const ignore = () => {}
  const scope = {
    self,
    id: machine.id,
    sessionId: self.sessionId,
    system: self.system,
    logger: ignore,
    defer: ignore,
    emit: ignore,
    stopChild: ignore,
    actionExecutor: (action: ExecutableActionObject) => {
      actions.push(action)
    },
  }
  const move = (before: World, run: () => AnyMachineSnapshot): Move => {
    now = before.now
    taken = []
    actions = []
    const snapshot = run()
    const read = readActions(spec, before, now, actions)
    const active = snapshot.status === 'active'
    return {
      world: {
        snapshot,
        waiting: active ? read.waiting : [],
        timers: active ? read.timers : [],
        now,
      },
      effects: [
        ...read.emits,
        ...(active ? read.calls.map(({ port, input: asked }) => callEffect(port, asked)) : []),
      ],
      actions: actions.map(({ type, params }) => ({ type, params })),
      taken: taken.flatMap((transition) => ids.get(transition) ?? []),
      starts: active ? read.starts : [],
      stops: active ? read.stops : [...read.stops, ...read.timers.map(({ id }) => id)],
    }
  }
  return {
    start: (name) =>
      move({ snapshot: self.getSnapshot(), waiting: [], timers: [], now: 0 }, () =>
        machine.getInitialSnapshot(scope, input(name)),
      ),
    step: (world, step) => {
      const first =
        step.kind === 'settle' ? world.waiting.findIndex(({ port }) => port === step.port) : -1
      const before = {
        ...world,
        waiting: world.waiting.filter((_, index) => index !== first),
        timers:
          step.kind === 'time' ? world.timers.filter(({ id }) => id !== step.timer) : world.timers,
      }
      return move(before, () => machine.transition(world.snapshot, step.event, scope))
    },
    steps: (world) => {
      if (world.snapshot.status !== 'active') return []
      const settles = world.waiting
        .filter(
          ({ port }, index) => world.waiting.findIndex((other) => other.port === port) === index,
        )
        .flatMap(({ id, port, input: asked }) =>
          Object.entries(casesOf(spec.outcomes[port] ?? {}, asked)).map(([name, outcome]): Step => {
            const named: NamedOutcome = { ...outcome, name }
            const event = outcome.ok
              ? { type: `xstate.done.actor.${id}`, output: outcome.output, actorId: id }
              : { type: `xstate.error.actor.${id}`, error: outcome.error, actorId: id }
            return { kind: 'settle', label: `${port} → ${name}`, event, port, outcome: named }
          }),
        )
      const times = world.timers.map(({ id, event, child }): Step => ({
        kind: 'time',
        label: child ? `${id} runs out` : shortEvent(event.type),
        event,
        timer: id,
      }))
      return [...settles, ...userSteps(spec, world), ...times]
    },
    key: ({ snapshot, waiting, timers }) =>
      [
        snapshot.status === 'active' ? '' : `${snapshot.status} `,
        spec.key(snapshot),
        ...waiting.map(({ id }) => ` ⇄${id}`).sort(),
        ...timers.map(({ id }) => ` ⏱${id}`).sort(),
      ].join(''),
    seen: (world) => {
      now = world.now
      return spec.project(world.snapshot, (id) => {
        const timer = world.timers.find((each) => each.id === id && each.child)
        return timer === undefined ? null : timer.since + timer.ms - world.now
      })
    },
  }
}

/** What a macrostep's actions start, stop and emit. A child started and stopped within one macrostep is never started, as in xstate itself. */
function readActions<Seen>(
  spec: Spec<Seen>,
  before: World,
  now: number,
  actions: readonly ExecutableActionObject[],
) {
  let waiting = [...before.waiting],
    timers = [...before.timers]
  let calls: Call[] = []
  let starts: Timer[] = []
  const stops: string[] = []
  const emits: string[] = []
  const drop = (id: string, child: boolean) => {
    waiting = child ? waiting.filter((call) => call.id !== id) : waiting
    calls = child ? calls.filter((call) => call.id !== id) : calls
    if (timers.some((timer) => timer.id === id && timer.child === child)) {
      if (starts.some((timer) => timer.id === id))
        starts = starts.filter((timer) => timer.id !== id)
      else stops.push(id)
      timers = timers.filter((timer) => timer.id !== id)
    }
  }
  const begin = (timer: Timer) => {
    drop(timer.id, timer.child)
    timers.push(timer)
    starts.push(timer)
  }
  for (const { type, params } of actions) {
    const told = (params ?? {}) as {
      id?: string
      src?: unknown
      input?: unknown
      actorRef?: { id: string }
      to?: { id: string }
      sendId?: string
      delay?: number
      event?: EventObject
    }
    if (type === 'xstate.spawnChild') {
      const id = told.actorRef?.id ?? String(told.id),
        src = String(told.src),
        timer = spec.timers?.[id] ?? spec.timers?.[src]
      if (timer !== undefined) {
        const { ms, output } =
          typeof timer === 'number'
            ? { ms: timer, output: undefined }
            : { ms: timer.ms, output: timer.output }
        begin({
          id,
          ms: typeof ms === 'number' ? ms : ms(told.input, now),
          since: now,
          child: true,
          event: { type: `xstate.done.actor.${id}`, output, actorId: id } as EventObject,
        })
      } else if (spec.outcomes[src] !== undefined) {
        const call = { id, port: src, input: told.input }
        waiting.push(call)
        calls.push(call)
      } else if (spec.quiet?.includes(src) !== true)
        throw new Error(
          `${spec.machine.id} starts the child ${id} (${src}), which is in none of outcomes, timers and quiet`,
        )
    } else if (type === 'xstate.stopChild') {
      if (told.id !== undefined) drop(told.id, true)
    } else if (type === 'xstate.cancel') {
      if (told.sendId !== undefined) drop(told.sendId, false)
    } else if (
      type === 'xstate.raise' &&
      typeof told.delay === 'number' &&
      told.event !== undefined
    )
      begin({
        id: told.id ?? told.event.type,
        ms: told.delay,
        since: now,
        event: told.event,
        child: false,
      })
    else if (type === 'xstate.emit' && told.event !== undefined) emits.push(emitEffect(told.event))
    else if (type === 'xstate.sendTo' && told.event !== undefined && told.to !== undefined)
      emits.push(sendEffect(told.to.id, told.event))
  }
  return { waiting, timers, calls, starts, stops, emits }
}

function casesOf(table: Spec<unknown>['outcomes'][string], input: unknown): Cases<Outcome> {
  return typeof table === 'function' ? table(input as never) : table
}

function userSteps<Seen>(spec: Spec<Seen>, { snapshot }: World): Step[] {
  const picked = spec.pick?.(snapshot) ?? {}
  return Object.keys(spec.events).flatMap((type) => {
    const steps = Object.entries({ ...spec.events[type], ...picked[type] })
      .map(([sample, payload]) => {
        const event = { ...payload, type }
        const transitions = spec.machine.getTransitionData(snapshot, event)
        const sneak = transitions.length === 0
        const inert = transitions.every(
          ({ target, actions }) => target === undefined && actions.length === 0,
        )
        return {
          kind: 'user' as const,
          label: sample === 'bare' ? type : `${type}(${sample})`,
          event,
          sample,
          sneak,
          inert,
        }
      })
      .filter(({ event }) => spec.covered?.(snapshot, event) !== true)
    if (spec.sneak !== 'all' && !spec.sneak.includes(type))
      return steps.filter((step) => !step.sneak)
    // Where nothing handles the event at all one sample is enough; where a guard refuses some samples, each refusal counts.
    return steps.every((step) => step.sneak) ? steps.slice(0, 1) : steps
  })
}
