import { Absent, enter, leave, press as pressElement, usable } from './dom.ts'
import { having, type Target } from './by-role.ts'
import type { HeldFetch } from '../http/held-fetch.ts'

/** What a user does for one event of a machine. */
export interface Gesture {
  /**
   * A function that it returns is run next, when the screen has come to rest.
   * @throws Absent when the screen does not offer it
   */
  run(held: HeldFetch): unknown
  /** Whether the screen offers it now; left out: not compared with what the machine can do. */
  isOffered?(): boolean
}

export function press(target: Target): Gesture {
  return {
    run: () => pressElement(need(target)),
    isOffered: () => target.all().some(isReachable),
  }
}

export function fill(
  target: Target<HTMLInputElement> | Target<HTMLSelectElement>,
  value: string,
): Gesture {
  return {
    run: () => enter(need<HTMLInputElement | HTMLSelectElement>(target), value),
    isOffered: () => target.all().some(isReachable),
  }
}

/** Those that a user can operate now. */
export function reachable<E extends HTMLElement>(target: Target<E>): Target<E> {
  return having(target, isReachable)
}

/** A question takes the input of the page behind it. */
function isReachable(element: HTMLElement): boolean {
  const asked = document.querySelector('[role=alertdialog]')
  return usable(element) && (asked === null || asked.contains(element))
}

export function blur(target: Target): Gesture {
  return { run: () => leave(need(target)) }
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

/** A gesture whose being offered is not compared: it is always there, or another row of the table stands for it. */
export function unlisted({ run }: Gesture): Gesture {
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

/** @throws Absent when it is not on the page */
export function need<E extends HTMLElement>(target: Target<E>): E {
  const [found] = target.all()
  if (found === undefined) throw new Absent(`${target.what} is not on the page`)
  return found
}
