import fc from 'fast-check'
import type { Promise_, WorldOf } from './explore-world.ts'

export interface Walked {
  readonly walks: number
  readonly events: number
  /** The shortest walk found that breaks a promise; null when none does. */ readonly broken: {
    readonly promise: string
    readonly trace: readonly string[]
  } | null
}

/** Random walks through a world too large to explore, with a fixed seed; a walk that breaks a promise is shrunk. */
export function walkWorld<State>(
  world: WorldOf<State>,
  promises: readonly Promise_<State>[],
  {
    seed,
    walks,
    longest,
  }: { readonly seed: number; readonly walks: number; readonly longest: number },
): Walked {
  let [count, events, broken] = [0, 0, null as Walked['broken']]
  fc.check(
    fc.property(fc.array(fc.nat({ max: 9999 }), { maxLength: longest, size: 'max' }), (choices) => {
      const walked = walk(world, promises, choices)
      count += 1
      events += walked.events
      // fast-check shrinks: the last that breaks something is the smallest.
      broken = walked.broken ?? broken
      return walked.broken === null
    }),
    { seed, numRuns: walks },
  )
  return { walks: count, events, broken }
}

/** What is broken first on the way that the numbers choose. A shorter list of numbers is a walk too, so that a failing one can shrink. */
function walk<State>(
  { start, events }: WorldOf<State>,
  promises: readonly Promise_<State>[],
  choices: readonly number[],
): Walked {
  let at = start()
  const trace: string[] = []
  for (const choice of choices) {
    const possible = events(at)
    const event = possible[choice % Math.max(1, possible.length)]
    if (event === undefined) break
    const from = at
    at = event.to
    trace.push(event.label)
    const promise = promises.find(
      (each) => !(each.kind === 'state' ? each.holds(at) : each.holds(from, event.label, at)),
    )
    if (promise !== undefined)
      return { walks: 1, events: trace.length, broken: { promise: promise.name, trace } }
  }
  return { walks: 1, events: trace.length, broken: null }
}
