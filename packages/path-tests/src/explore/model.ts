import {
  type AnyActor,
  type AnyMachineSnapshot,
  type AnyTransitionDefinition,
  createActor,
  type EventObject,
  type ExecutableActionObject,
} from 'xstate'
import { readActions } from './actions.ts'
import { type Cases, inputOf, type Outcome, type Spec, startsOf, type Step } from './spec.ts'
import { declaredTransitions, shortEvent } from './transitions.ts'
import { type Call, callEffect, type Model, type Move, type World } from './world.ts'

/**
 * The machine as a pure function of steps. xstate's `transition` does not report which transitions
 * were taken. Therefore the machine's own `transition` is called with a scope whose system reports
 * `@xstate.microstep` and whose executor records actions without running them.
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
    inspect: (inspected) => {
      if (inspected.type === '@xstate.microstep' && ready && inspected.actorRef === self)
        taken.push(...inspected._transitions)
    },
  })
  ready = true
  const scope = scopeOf(self, (action) => {
    actions.push(action)
  })
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
    steps: (world) => (world.snapshot.status === 'active' ? stepsOf(spec, world) : []),
    key: (world) => keyOf(spec, world),
    seen: (world) => {
      now = world.now
      return spec.project(world.snapshot, (id) => {
        const timer = world.timers.find((each) => each.id === id && each.child)
        return timer === undefined ? null : timer.since + timer.ms - world.now
      })
    },
  }
}

/** An actor scope that records actions and does nothing else. */
function scopeOf(self: AnyActor, record: (action: ExecutableActionObject) => void) {
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
  }
}

/** Ends of pending calls, events of the user, ends of timers. Of several calls of one port only the oldest can end. */
function stepsOf<Seen>(spec: Spec<Seen>, world: World): Step[] {
  const oldest = world.waiting.filter(
    ({ port }, index) => world.waiting.findIndex((other) => other.port === port) === index,
  )
  const times = world.timers.map(({ id, event, child }): Step => ({
    kind: 'time',
    label: child ? `${id} runs out` : shortEvent(event.type),
    event,
    timer: id,
  }))
  return [...oldest.flatMap((call) => settleSteps(spec, call)), ...userSteps(spec, world), ...times]
}

function settleSteps<Seen>(spec: Spec<Seen>, { id, port, input }: Call): Step[] {
  return Object.entries(casesOf(spec.outcomes[port] ?? {}, input)).map(([name, outcome]): Step => ({
    kind: 'settle',
    label: `${port} → ${name}`,
    event: outcome.ok
      ? ({
          type: `xstate.done.actor.${id}`,
          output: outcome.output,
          actorId: id,
        } as EventObject)
      : ({ type: `xstate.error.actor.${id}`, error: outcome.error, actorId: id } as EventObject),
    port,
    outcome: { ...outcome, name },
  }))
}

function keyOf<Seen>(spec: Spec<Seen>, { snapshot, waiting, timers }: World): string {
  return [
    snapshot.status === 'active' ? '' : `${snapshot.status} `,
    spec.key(snapshot),
    ...waiting.map(({ id }) => ` ⇄${id}`).sort(),
    ...timers.map(({ id }) => ` ⏱${id}`).sort(),
  ].join('')
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
    // One sample is enough for an event without a handler; where a guard refuses some samples, each refusal is a step.
    return steps.every((step) => step.sneak) ? steps.slice(0, 1) : steps
  })
}
