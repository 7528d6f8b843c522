import {
  type Actor,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  type EventObject,
  type ExecutableActionObject,
  fromPromise,
} from 'xstate'
import { waitForPromises, VirtualClock } from './clock.ts'
import type { Driver } from './driver.ts'
import { type HeldCalls, heldCalls } from './held-calls.ts'
import type { Child, NamedOutcome } from '../model/children.ts'
import { buildStartInput, type Left, type Model } from '../model/define-model.ts'
import { runFrozen } from '../model/frozen.ts'
import { ModelError } from '../model/model-error.ts'
import { resolveChild, readActions } from '../model/read-actions.ts'
import { type Created, idleLogic, replaceChild, standInLogic } from '../model/stand-ins.ts'

export type AnyCalls = Record<string, (input: unknown, signal: AbortSignal) => Promise<unknown>>
export interface ActorDriverOptions {
  /** Runs another machine (a mutant) against the same model. */
  readonly machine?: AnyStateMachine
  /** Lets the caller see the calls. */
  readonly calls?: HeldCalls<AnyCalls>
}
type Scope = Parameters<AnyStateMachine['transition']>[2]

/** Steps of the machine during one path. More mean that it never comes to rest. */
const mostMacrosteps = 100_000

/**
 * The machine as a running actor, on a `VirtualClock`. Its children are stand-ins that the path
 * ends or lets speak; its custom actions are recorded, not run.
 */
export function actorDriver<Seen>(
  model: Model<Seen>,
  { machine = model.machine, calls = heldCalls<AnyCalls>() }: ActorDriverOptions = {},
): Driver<Seen> {
  const clock = new VirtualClock()
  let running: RunningMachine | null = null
  let looked: { readonly snapshot: AnyMachineSnapshot; readonly seen: Seen } | null = null
  const actor = (): RunningMachine['actor'] => {
    if (running === null) throw new ModelError('not-started', 'the driver is not started')
    const { broken } = running
    if (broken !== null)
      throw new Error(`the machine ended in an error: ${String(broken.error)}`, {
        cause: broken.error,
      })
    return running.actor
  }
  const left: Left = (id) => {
    const child = (actor().getSnapshot().children as Record<string, AnyActorRef | undefined>)[id]
    if (child === undefined || child.getSnapshot().status !== 'active') return null
    return running?.leftOf(child) ?? null
  }
  return {
    reports: ['call', 'start', 'stop', 'emit', 'send', 'raise', 'action', 'log'],
    start: async (start) => {
      model.setup?.()
      running = new RunningMachine(model, machine, start, clock, calls)
      await waitForPromises()
    },
    user: async ({ event, prepare }) => {
      prepare?.()
      actor().send(event)
      await waitForPromises()
    },
    settle: async (name, outcome) => {
      actor()
      running?.settle(name, outcome)
      await waitForPromises()
    },
    child: async ({ child, event, snapshot }) => {
      actor().send(
        snapshot
          ? ({ ...event, type: `xstate.snapshot.${running?.idOf(child) ?? child}` } as EventObject)
          : event,
      )
      await waitForPromises()
    },
    advance: async (ms) => {
      await clock.advance(ms)
      actor()
    },
    // An event that changes nothing leaves the same snapshot, which looks the same.
    observe: async () => {
      const snapshot = actor().getSnapshot() as AnyMachineSnapshot
      if (looked?.snapshot === snapshot) return looked.seen
      let isTimed = false
      const seen = model.project(snapshot, (id) => {
        isTimed = true
        return left(id)
      })
      looked = isTimed ? null : { snapshot, seen }
      return seen
    },
    effects: () => running?.takeEffects() ?? [],
    pending: () => calls.pending(),
    dispose: async () => {
      running?.stop()
      await waitForPromises()
    },
  }
}

/** State that runs besides the machine, as the model's actions tell it. */
type Running = Parameters<typeof readActions>[1]

/** The machine's actor, whose macrosteps are read as the model reads them. */
class RunningMachine {
  readonly actor: Actor<AnyStateMachine>
  broken: { readonly error: unknown } | null = null
  readonly #model: Model
  readonly #clock: VirtualClock
  readonly #calls: HeldCalls<AnyCalls>
  #created: Created[] = []
  #alive: Created[] = []
  #effects: string[] = []
  #running: Running = { children: [], timers: [] }
  #self: AnyActorRef | null = null
  #steps = 0

  constructor(
    model: Model,
    machine: AnyStateMachine,
    start: string,
    clock: VirtualClock,
    calls: HeldCalls<AnyCalls>,
  ) {
    this.#model = model
    this.#clock = clock
    this.#calls = calls
    const parent = createActor(idleLogic(), {
      id: 'parent',
      clock,
      logger: () => {},
      inspect: (inspected) => {
        const ref = inspected.actorRef as AnyActorRef & { readonly _parent?: unknown }
        if (inspected.type === '@xstate.actor' && this.#self !== null && ref._parent === this.#self)
          this.#replace(ref)
      },
    })
    const input = runFrozen(model.machine, 0, () => buildStartInput(model, start, clock))
    this.actor = createActor(this.#observed(machine), {
      id: model.machine.id,
      parent,
      input,
    } as object) as Actor<AnyStateMachine>
    parent.start()
    this.actor.subscribe({
      error: (error) => {
        this.broken = { error }
      },
    })
    this.actor.start()
  }

  leftOf(child: AnyActorRef): number | null {
    const each = this.#alive.find(({ ref }) => ref === child)
    const as = each === undefined ? undefined : resolveChild(this.#model, each)
    if (as?.kind !== 'timer') return null
    if (as.left !== undefined) return as.left(child.getSnapshot())
    const timer = this.#running.timers.find(({ ref }) => ref === child)
    return timer === undefined ? null : timer.since + timer.ms - this.#clock.now()
  }

  settle(name: string, outcome: NamedOutcome): void {
    const child = this.#running.children.find((each) => each.name === name)
    if (child?.as.kind !== 'events') {
      this.#calls.settle(name, outcome)
      return
    }
    const { id } = child.ref
    this.actor.send(
      outcome.ok
        ? { type: `xstate.done.actor.${id}`, output: outcome.output, actorId: id }
        : { type: `xstate.error.actor.${id}`, error: outcome.error, actorId: id },
    )
  }

  idOf(name: string): string | undefined {
    return this.#running.children.find((child) => child.name === name)?.ref.id
  }

  takeEffects(): string[] {
    const taken = this.#effects
    this.#effects = []
    return taken
  }

  stop(): void {
    if (this.broken === null && this.actor.getSnapshot().status === 'active')
      this.actor.send({ type: 'xstate.stop' })
  }

  #replace(ref: AnyActorRef): void {
    this.#created.push(
      replaceChild(ref, listRunningNames(this.#running, this.#created), (each) =>
        buildStandIn(each, resolveChild(this.#model, each), this.#clock, this.#calls),
      ),
    )
  }

  /** The machine's logic, each macrostep of which is read. */
  #observed(machine: AnyStateMachine): AnyStateMachine {
    return Object.create(machine, {
      transition: {
        value: ((snapshot, event, scope) => {
          this.#forget(event)
          return this.#read(scope, (own) => machine.transition(snapshot, event, own))
        }) satisfies AnyStateMachine['transition'],
      },
      getInitialSnapshot: {
        value: ((scope, input) => {
          this.#self = scope.self as AnyActorRef
          return this.#read(scope, (own) => machine.getInitialSnapshot(own, input))
        }) satisfies AnyStateMachine['getInitialSnapshot'],
      },
    }) as AnyStateMachine
  }

  /** One macrostep: built-in actions run, custom ones are only recorded. */
  #read(scope: Scope, run: (own: Scope) => AnyMachineSnapshot): AnyMachineSnapshot {
    this.#steps += 1
    if (this.#steps > mostMacrosteps)
      throw new ModelError('too-many-steps', `more than ${mostMacrosteps} steps in one path`)
    const actions: ExecutableActionObject[] = []
    this.#created = []
    const snapshot = runFrozen(this.#model.machine, this.#clock.now(), () =>
      run({
        ...scope,
        actionExecutor: (action: ExecutableActionObject) => {
          actions.push(action)
          if (action.type.startsWith('xstate.') && action.type !== 'xstate.log')
            scope.actionExecutor(action)
        },
      }),
    )
    const read = readActions(this.#model, this.#running, {
      self: scope.self,
      now: this.#clock.now(),
      actions,
      created: this.#created,
    })
    this.#effects.push(...read.effects)
    this.#alive.push(...this.#created)
    this.#running = { children: read.children, timers: read.timers }
    return snapshot
  }

  /** A child that ended is no longer running, and a timer that fired is over. */
  #forget(event: EventObject): void {
    const ended = /^xstate\.(?:done|error)\.actor\.(.*)$/s.exec(event.type)?.[1]
    const now = this.#clock.now()
    this.#running = {
      children: this.#running.children.filter(({ ref }) => ref.id !== ended),
      timers: this.#running.timers.filter(
        (timer) =>
          timer.event.type !== event.type || (timer.ref === null && timer.since + timer.ms > now),
      ),
    }
  }
}

function listRunningNames(
  { children, timers }: Running,
  created: readonly Created[],
): ReadonlySet<string> {
  return new Set([
    ...children.map(({ name }) => name),
    ...timers.map(({ id }) => id),
    ...created.map(({ name }) => name),
  ])
}

/** Builds the logic that runs in place of a child. */
function buildStandIn(
  created: Created,
  as: Child,
  clock: VirtualClock,
  calls: HeldCalls<AnyCalls>,
): AnyActorLogic {
  const { name, logic, input } = created
  switch (as.kind) {
    case 'call':
      return fromPromise(
        ({ signal }) => calls.functions[name]?.(input, signal) ?? Promise.reject(new Error(name)),
      )
    case 'timer': {
      if (as.live === true) return logic
      const ms = typeof as.ms === 'number' ? as.ms : as.ms(input, clock.now())
      return fromPromise(
        ({ signal }) =>
          new Promise((resolve) => {
            const id = clock.setTimeout(() => resolve(as.output), ms)
            signal.addEventListener('abort', () => clock.clearTimeout(id), { once: true })
          }),
      )
    }
    case 'silent':
      return as.live === true ? logic : standInLogic(created, as)
    case 'events':
      return standInLogic(created, as)
  }
}
