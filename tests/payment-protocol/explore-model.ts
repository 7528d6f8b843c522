export interface Found<State> {
  readonly states: readonly State[]
  readonly events: number
  /** Labels of the shortest path to a state. */
  traceTo(index: number): string[]
  /** States from which no state that `holds` can be reached. */
  cannotReach(holds: (state: State) => boolean): number[]
}
export interface ProtocolModel<State> {
  start(): State
  events(at: State): readonly { readonly label: string; readonly to: State }[]
  key(state: State): string
}
/** A property of every state, or of every event between two. */
export type Property<State> =
  | { readonly name: string; readonly kind: 'state'; holds(at: State): boolean }
  | {
      readonly name: string
      readonly kind: 'event'
      holds(from: State, label: string, to: State): boolean
    }
export interface Broken {
  readonly property: string
  readonly times: number
  readonly trace: readonly string[]
}

/**
 * Explores all states breadth first and checks the properties; with `untilBroken` only until these
 * are violated.
 * @throws above `limit` states
 */
export function exploreModel<State>(
  { start, events, key }: ProtocolModel<State>,
  properties: readonly Property<State>[],
  {
    limit = 200_000,
    untilBroken,
  }: { readonly limit?: number; readonly untilBroken?: readonly string[] } = {},
): Found<State> & { readonly broken: readonly Broken[] } {
  const states: State[] = [start()]
  const by: ({ from: number; label: string } | null)[] = [null]
  const into: number[][] = [[]]
  const places = new Map([[key(states[0] as State), 0]])
  const broken = new Map<string, { times: number; trace: readonly string[] }>()
  let count = 0
  const traceTo = (index: number): string[] => {
    const labels: string[] = []
    for (let step = by[index] ?? null; step !== null; step = by[step.from] ?? null)
      labels.unshift(step.label)
    return labels
  }
  const breaks = (name: string, trace: () => string[]) => {
    const known = broken.get(name)
    if (known === undefined) broken.set(name, { times: 1, trace: trace() })
    else known.times += 1
  }
  const look = (index: number) => {
    for (const each of properties)
      if (each.kind === 'state' && !each.holds(states[index] as State))
        breaks(each.name, () => traceTo(index))
  }
  look(0)
  const isEnough = () => untilBroken !== undefined && untilBroken.every((name) => broken.has(name))
  for (let at = 0; at < states.length && !isEnough(); at += 1) {
    const from = states[at] as State
    for (const { label, to } of events(from)) {
      count += 1
      const id = key(to)
      const seen = places.get(id)
      const index = seen ?? states.push(to) - 1
      if (seen === undefined) {
        places.set(id, index)
        by[index] = { from: at, label }
        into[index] = []
        if (states.length > limit) throw new Error(`more than ${limit} states; one of them: ${id}`)
        look(index)
      }
      into[index]?.push(at)
      for (const each of properties)
        if (each.kind === 'event' && !each.holds(from, label, to))
          breaks(each.name, () => [...traceTo(at), label])
    }
  }
  const cannotReach = (holds: (state: State) => boolean): number[] => {
    const good = new Set(states.flatMap((state, index) => (holds(state) ? [index] : [])))
    for (const index of good) for (const from of into[index] ?? []) good.add(from)
    return [...states.keys()].filter((index) => !good.has(index))
  }
  return {
    states,
    events: count,
    traceTo,
    cannotReach,
    broken: [...broken].map(([property, found]) => ({ property, ...found })),
  }
}
