import { Absent } from './dom.ts'
import type { HeldFetch } from '../http/held-fetch.ts'

/** The action of a user for one event of a machine. */
export interface Gesture {
  /**
   * A function that it returns is run next, when the screen has come to rest.
   * @throws Absent when the screen does not offer it
   */
  run(held: HeldFetch): unknown
  /** Whether the screen offers it now; left out: not compared with what the machine can do. */
  isOffered?(): boolean
}

/** Several gestures, each when the screen has come to rest after the one before; offered when the first is. */
export function inTurn(first: Gesture, ...rest: readonly Gesture[]): Gesture {
  const [next, ...others] = rest
  return {
    ...first,
    run: (held) => {
      const then = first.run(held)
      return next === undefined ? then : () => inTurn(next, ...others).run(held)
    },
  }
}

/** A gesture that is offered when another one is. */
export function offeredAs({ run }: Gesture, other: Gesture): Gesture {
  return { run, isOffered: () => other.isOffered?.() === true }
}

/** The gesture that the page asks for at the moment. */
export function byPage(choose: () => Gesture): Gesture {
  return {
    run: (held) => choose().run(held),
    isOffered: () => choose().isOffered?.() === true,
  }
}

/** A gesture whose being offered is not compared: it is always there, or another row of the table stands for it. */
export function withoutOffer({ run }: Gesture): Gesture {
  return { run }
}

/** A gesture of its own kind. */
export function custom(run: Gesture['run'], isOffered?: () => boolean): Gesture {
  return isOffered === undefined ? { run } : { run, isOffered }
}

/** For an event that this page has no control for; `hidden` leaves it out where the machine takes it. */
export const noControl: Gesture = custom(() => {
  throw new Absent('the page has no control for it')
})
