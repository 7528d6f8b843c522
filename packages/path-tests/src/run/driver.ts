import type { NamedOutcome } from '../model/children.ts'
import type { EffectKind } from '../model/model-state.ts'
import type { ChildStep, Step, UserStep } from '../model/step.ts'
import type { Path, Picture } from './path.ts'

/**
 * One surface under test: the machine's actor, a page, a terminal, a server. `runPath` drives it
 * through a path and compares what it shows with the model after every step. A driver serves one
 * path: created, started, driven, disposed of.
 *
 * Rules for a driver:
 * - every method resolves only when the surface is idle (promises settled, screen drawn);
 * - calls out of the surface stay pending until `settle` (in process: `heldCalls`; in a browser: `page.route`);
 * - time stands still except in `advance` (in process: `VirtualClock` as the actors' clock; in a
 *   browser: `page.clock`); before a timer ends, `advance` is called twice, up to the last
 *   millisecond and for that one, so that an early timer is noticed;
 * - `user` performs the gesture even where the surface should not react (`step.inert`): press the
 *   key, look for the button. When the surface offers no such gesture at all, doing nothing is right
 *   for an inert step and an error otherwise.
 */
export interface Driver<Seen> {
  /** Starts with the model's `input` of that name; `'start'` when there is only one. */
  start(start: string): Promise<void>
  user(step: UserStep): Promise<void>
  /** Called before each step, for a replay that people watch. `index` counts from 0. */
  before?(step: Step, index: number): Promise<void>
  /**
   * Only for surfaces with real answers (a server): makes the call, checks the answer, and returns
   * the step with the real outcome, which model and surface then take. @throws for an answer that
   * breaks the contract
   */
  real?(step: Step): Promise<Step>
  /** Ends the pending call of this name. */
  settle(call: string, outcome: NamedOutcome): Promise<void>
  /** A child sends an event or a snapshot. Omit when the model has no children that send. */
  child?(step: ChildStep): Promise<void>
  advance(ms: number): Promise<void>
  /** Reads what a user can observe now, from the surface and never from the machine behind it. */
  observe(): Promise<Seen>
  /** Effects since the last call, in any order, in the format of the model. Omit when unknown. */
  effects?(): string[]
  /** The kinds of effects that `effects` reports. Default: calls, emitted and sent events. */
  readonly reports?: readonly EffectKind[]
  /** Names of the pending calls. Omit when unknown. */
  pending?(): string[]
  /** A picture of the surface, for the report of a failure. */
  picture?(): Promise<Picture>
  dispose(): Promise<void>
}

/** A fresh driver for each path. */
export type MakeDriver<Seen> = (path: Path) => Driver<Seen> | Promise<Driver<Seen>>
