import fc from 'fast-check'
import type { Property, ProtocolModel } from './explore-model.ts'

export interface Walked {
  readonly walks: number
  readonly events: number
  /** The shortest walk found that violates a property; null when none does. */
  readonly broken: {
    readonly property: string
    readonly trace: readonly string[]
  } | null
}

/**
 * Random walks through a model too large to explore, with a fixed seed. A walk that violates a
 * property is shrunk.
 */
export function randomWalks<State>(
  model: ProtocolModel<State>,
  properties: readonly Property<State>[],
  {
    seed,
    walks,
    longest,
  }: { readonly seed: number; readonly walks: number; readonly longest: number },
): Walked {
  let [count, events, broken] = [0, 0, null as Walked['broken']]
  fc.check(
    fc.property(fc.array(fc.nat({ max: 9999 }), { maxLength: longest, size: 'max' }), (choices) => {
      const walked = walk(model, properties, choices)
      count += 1
      events += walked.events
      // fast-check shrinks: the last violation is the smallest.
      broken = walked.broken ?? broken
      return walked.broken === null
    }),
    { seed, numRuns: walks },
  )
  return { walks: count, events, broken }
}

/**
 * Walks as the numbers choose until a property is violated. A shorter list of numbers is a walk
 * too, so that fast-check can shrink it.
 */
function walk<State>(
  { start, events }: ProtocolModel<State>,
  properties: readonly Property<State>[],
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
    const violated = properties.find(
      (each) => !(each.kind === 'state' ? each.holds(at) : each.holds(from, event.label, at)),
    )
    if (violated !== undefined)
      return { walks: 1, events: trace.length, broken: { property: violated.name, trace } }
  }
  return { walks: 1, events: trace.length, broken: null }
}
