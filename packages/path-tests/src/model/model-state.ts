import type { AnyActorRef, AnyMachineSnapshot, EventObject } from 'xstate'
import type { Child } from './children.ts'
import type { TransitionId } from '../explore/transitions.ts'
import type { Step } from './step.ts'

/** A running child that is no timer. */
export interface RunningChild {
  /** Stable name: the child's id, or its source and a number. */ readonly name: string
  readonly source: string
  readonly input: unknown
  readonly ref: AnyActorRef
  readonly as: Exclude<Child, { kind: 'timer' }>
}
export interface Timer {
  readonly id: string
  readonly ms: number
  readonly since: number
  readonly event: EventObject
  /** The child that waits; null for a delayed event. */ readonly ref: AnyActorRef | null
}
/** The machine's snapshot with its running children and timers, and the time in milliseconds. */
export interface ModelState {
  readonly snapshot: AnyMachineSnapshot
  readonly children: readonly RunningChild[]
  readonly timers: readonly Timer[]
  readonly now: number
}
export interface Action {
  readonly type: string
  readonly params: unknown
}
export interface Move {
  readonly at: ModelState
  /**
   * Effects of the step in the format that drivers report: `call name {input}`, `start name (source)
   * {input}`, `stop name`, `emit {event}`, `send child {event}`, `raise {event}`, `action name
   * {params}`, `log text`.
   */
  readonly effects: readonly string[]
  readonly actions: readonly Action[]
  /** Every transition taken, `always` and raised events included. */
  readonly taken: readonly TransitionId[]
  readonly starts: readonly Timer[]
  /** Ids of timers stopped before they ended. */
  readonly stops: readonly string[]
  /** The error that the machine threw or ended in; null when the step is possible. */
  readonly crash: Crash | null
}
export interface Crash {
  /** The machine threw, or a child's error reached it and no transition took it. */
  readonly kind: 'thrown' | 'unhandled'
  readonly error: unknown
}

export type EffectKind = 'call' | 'start' | 'stop' | 'emit' | 'send' | 'raise' | 'action' | 'log'
export const kindOfEffect = (effect: string): EffectKind => effect.split(' ', 1)[0] as EffectKind

/** Calls that wait for their end. */
export function pendingCalls({ children }: ModelState): readonly RunningChild[] {
  return children.filter(({ as }) => as.kind === 'call')
}

export const advanceClock = (state: ModelState, ms: number): ModelState => ({
  ...state,
  now: state.now + ms,
})

/** The state at the earliest time of the step: the end of a timer happens when the timer is due. */
export function whenDue(state: ModelState, step: Step): ModelState {
  const timer = step.kind === 'time' ? state.timers.find(({ id }) => id === step.timer) : undefined
  return timer === undefined
    ? state
    : { ...state, now: Math.max(state.now, timer.since + timer.ms) }
}

export function stateText({ snapshot }: ModelState): string {
  return typeof snapshot.value === 'string' ? snapshot.value : JSON.stringify(snapshot.value)
}
