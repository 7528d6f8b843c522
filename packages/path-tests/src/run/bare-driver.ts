import {
  type Actor,
  type AnyActorRef,
  type AnyStateMachine,
  createActor,
  fromPromise,
} from 'xstate'
import { settled, VirtualClock } from './clock.ts'
import type { Driver } from './driver.ts'
import { type HeldPorts, heldPorts } from './held-ports.ts'
import { emitEffect, sendEffect } from '../explore/world.ts'
import { inputOf, type Left, type Spec } from '../explore/spec.ts'

type AnyPorts = Record<string, (input: unknown, signal: AbortSignal) => Promise<unknown>>

/**
 * The running machine alone, on a `VirtualClock` with held ports. `machine` runs another machine (a
 * mutant) against the same spec; `held` lets the caller see the calls.
 */
export function bareDriver<Seen>(
  spec: Spec<Seen>,
  machine: AnyStateMachine = spec.machine,
  held: HeldPorts<AnyPorts> = heldPorts<AnyPorts>(),
): Driver<Seen> {
  const clock = new VirtualClock()
  let emitted: string[] = []
  let broken: { error: unknown } | null = null
  let actor: Actor<AnyStateMachine> | null = null
  const running = (): Actor<AnyStateMachine> => {
    if (actor === null) throw new Error('not started')
    if (broken !== null)
      throw new Error(`the machine ended in an error: ${String(broken.error)}`, {
        cause: broken.error,
      })
    return actor
  }
  const left: Left = (id) => {
    const child = (running().getSnapshot().children as Record<string, AnyActorRef | undefined>)[id]
    const timer = spec.timers?.[id]
    if (child === undefined || child.getSnapshot().status !== 'active' || timer === undefined)
      return null
    if (typeof timer === 'number' || timer.left === undefined)
      throw new Error(
        `the spec's timer ${id} has no left(): project cannot know how long the live child has left`,
      )
    return timer.left(child.getSnapshot())
  }
  return {
    start: async (start) => {
      actor = createBareActor(spec, machine, start, clock, held, (effect) => {
        emitted.push(effect)
      })
      actor.subscribe({
        error: (error) => {
          broken = { error }
        },
      })
      actor.start()
      await settled()
    },
    user: async ({ event }) => {
      running().send(event)
      await settled()
    },
    settle: async (port, outcome) => {
      held.settle(port, outcome)
      await settled()
    },
    advance: async (ms) => {
      await clock.advance(ms)
      running()
    },
    observe: async () => spec.project(running().getSnapshot(), left),
    effects: () => {
      const effects = [...emitted, ...held.started()]
      emitted = []
      return effects
    },
    pending: () => held.pending(),
    dispose: async () => {
      actor?.stop()
      await settled()
    },
  }
}

/** An actor whose calls go to `held`. Reports events emitted and events sent to children. Not started. */
function createBareActor<Seen>(
  spec: Spec<Seen>,
  machine: AnyStateMachine,
  start: string,
  clock: VirtualClock,
  held: HeldPorts<AnyPorts>,
  report: (effect: string) => void,
): Actor<AnyStateMachine> {
  const actors = Object.fromEntries(
    Object.keys(spec.outcomes).map((port) => [
      port,
      fromPromise(
        ({ input, signal }) => held.ports[port]?.(input, signal) ?? Promise.reject(new Error(port)),
      ),
    ]),
  )
  const made = createActor(machine.provide({ actors }), {
    input: inputOf(spec, start, clock),
    clock,
    inspect: (inspected) => {
      if (
        inspected.type === '@xstate.event' &&
        inspected.sourceRef === made &&
        inspected.actorRef !== made &&
        !inspected.event.type.startsWith('xstate.')
      )
        report(sendEffect((inspected.actorRef as AnyActorRef).id, inspected.event))
    },
  })
  made.on('*', (event) => report(emitEffect(event)))
  return made
}
