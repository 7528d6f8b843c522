import type { AnyMachineSnapshot, EventObject } from 'xstate'
import type { Step } from './spec.ts'
import type { TransitionId } from './transitions.ts'

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
/** A model state: the machine's snapshot, its pending calls and running timers, and the time in milliseconds. */
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
  /**
   * Effects of the step in the format that drivers report: `call port {input}`, `emit {event}`,
   * `send child {event}`.
   */
  readonly effects: readonly string[]
  readonly actions: readonly Action[]
  /** Every transition taken, `always` and raised events included. */
  readonly taken: readonly TransitionId[]
  readonly starts: readonly Timer[]
  /** Ids of timers stopped before they ended. */
  readonly stops: readonly string[]
}
export interface Model<Seen> {
  start(name: string): Move
  step(world: World, step: Step): Move
  /** Every possible next step in a fixed order. All timers are offered; `schedule` decides which ends first. */
  steps(world: World): Step[]
  key(world: World): string
  seen(world: World): Seen
}

export function callEffect(port: string, input: unknown): string {
  return `call ${port} ${JSON.stringify(input) ?? ''}`.trim()
}

export const emitEffect = (event: object): string => `emit ${JSON.stringify(event)}`

/** The effect of an event that a machine sends to one of its children. */
export function sendEffect(child: string, event: object): string {
  return `send ${child} ${JSON.stringify(event)}`
}

export const later = (world: World, ms: number): World => ({ ...world, now: world.now + ms })

/** The world at the earliest time of the step: the end of a timer happens when the timer is due. */
export function whenDue(world: World, step: Step): World {
  const timer = step.kind === 'time' ? world.timers.find(({ id }) => id === step.timer) : undefined
  return timer === undefined
    ? world
    : { ...world, now: Math.max(world.now, timer.since + timer.ms) }
}

export function stateOf({ snapshot }: World): string {
  return typeof snapshot.value === 'string' ? snapshot.value : JSON.stringify(snapshot.value)
}
