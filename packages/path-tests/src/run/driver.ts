import type { Path, Picture } from './run-path.ts'
import type { NamedOutcome, Step, UserStep } from '../explore/spec.ts'

/**
 * One surface under test: the bare machine, a page, a terminal, a server. `runPath` drives it through a path and compares what it
 * shows with the model after every step. A driver is used for one path: made, started, driven, disposed of.
 *
 * The few rules a driver must keep:
 * - every method resolves only when the surface has come to rest (promises done, screen drawn);
 * - calls out of the surface stay pending until `settle` (in process: `heldPorts`; in a browser: `page.route`);
 * - time stands still except in `advance` (in process: `VirtualClock` as the actors' clock; in a browser: `page.clock`); before a timer
 *   runs out `advance` is called twice, up to the last millisecond and for that one, so that a timer that is too early shows;
 * - `user` makes the gesture of the step even where the surface should not react (`step.inert`): press the key, look for the button.
 *   When the surface offers no such gesture at all, doing nothing is right for an inert step and an error otherwise.
 */
export interface Driver<Seen> {
  /** Starts as the spec's `input` of that name says; `'start'` when there is only one. */
  start(start: string): Promise<void>
  user(step: UserStep): Promise<void>
  /**
   * Only where answers are the surface's own (a real server): what will really happen at this step, which is then what the model and the surface
   * are both taken through. A call is made here and its answer judged; what it should not have answered is thrown.
   */
  real?(step: Step): Promise<Step>
  /** Ends the oldest pending call of `port`. */
  settle(port: string, outcome: NamedOutcome): Promise<void>
  advance(ms: number): Promise<void>
  /** What a person can observe now, read from the surface and never from the machine behind it. */
  observe(): Promise<Seen>
  /** What the surface did to the world since the last call: `callEffect`s, `emitEffect`s and `sendEffect`s, in any order. Leave out when it cannot be told. */
  effects?(): string[]
  /** Ports with a call under way. Leave out when it cannot be told. */
  pending?(): string[]
  /** How it looks now, for the report of a failure. */
  picture?(): Promise<Picture>
  dispose(): Promise<void>
}

/** A fresh driver for each path. */
export type MakeDriver<Seen> = (path: Path) => Driver<Seen> | Promise<Driver<Seen>>
