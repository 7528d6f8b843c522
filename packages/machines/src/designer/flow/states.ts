// States of a flow by their paths, for edits that return a changed copy.
import type { Flow, FlowEvent, FlowEvents, FlowState } from '@jiaowu/api/entity/definition/flow'

type FlowStates = Readonly<Record<string, FlowState>>

/** The state at the path, outermost key first: `offices.finance`. */
export function findState({ states }: Pick<Flow, 'states'>, path: string): FlowState | undefined {
  const [key = '', ...rest] = path.split('.')
  const state = Object.hasOwn(states, key) ? states[key] : undefined
  if (state === undefined || rest.length === 0) return state
  return findState({ states: state.states ?? {} }, rest.join('.'))
}

/** The alternatives of each event; `` stands for the flow, whose events hold in every state. */
export function listEvents(
  flow: Flow,
  path: string,
): readonly { readonly key: string; readonly alternatives: readonly FlowEvent[] }[] {
  return sortEvents(readEvents(flow, path)).map(([key, event]) => ({
    key,
    alternatives: toAlternatives(event),
  }))
}

/** Events that offices know by name, in the order in which they are shown. */
export const eventWords = ['SUBMIT', 'APPROVE', 'RETURN', 'REJECT', 'WITHDRAW', 'VOID'] as const
export type EventWord = (typeof eventWords)[number]

function sortEvents(on: FlowEvents): readonly (readonly [string, FlowEvents[string]])[] {
  const rank = (key: string) => {
    const at = eventWords.findIndex((word) => key.startsWith(word))
    return at < 0 ? eventWords.length : at
  }
  return Object.entries(on).toSorted(([a], [b]) => rank(a) - rank(b))
}

export function readEvents(flow: Flow, path: string): FlowEvents {
  return (path === '' ? flow.on : findState(flow, path)?.on) ?? {}
}

export function toAlternatives(event: FlowEvents[string] | undefined): readonly FlowEvent[] {
  return event === undefined ? [] : Array.isArray(event) ? event : [event]
}

/** Changes the state at the path; null removes it. The flow itself where there is none. */
export function withState(
  flow: Flow,
  path: string,
  change: (state: FlowState) => FlowState | null,
): Flow {
  return findState(flow, path) === undefined
    ? flow
    : { ...flow, states: withStateIn(flow.states, path.split('.'), change) }
}

function withStateIn(
  states: FlowStates,
  [key, ...rest]: readonly string[],
  change: (state: FlowState) => FlowState | null,
): FlowStates {
  return Object.fromEntries(
    Object.entries(states).flatMap(([name, state]) => {
      if (name !== key) return [[name, state]]
      const next =
        rest.length === 0
          ? change(state)
          : { ...state, states: withStateIn(state.states ?? {}, rest, change) }
      return next === null ? [] : [[name, next]]
    }),
  )
}

export function withEvents(flow: Flow, path: string, events: FlowEvents): Flow {
  const on = Object.keys(events).length === 0 ? undefined : events
  return path === ''
    ? withoutEmpty({ ...flow, on })
    : withState(flow, path, (state) => withoutEmpty({ ...state, on }))
}

/** Without the keys that are undefined, which JSON would drop anyway. */
export function withoutEmpty<T extends object>(value: T): T {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]: [string, unknown]) => each !== undefined),
  ) as T
}

/** The object with another name for a key, in its place. */
export function renameKey<T>(
  record: Readonly<Record<string, T>>,
  from: string,
  to: string,
): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key === from ? to : key, value]),
  )
}

/** The target with the new key, where it leads to or through the state at the path. */
export function createTargetRename(
  path: string,
  to: string,
): (found: string | null | undefined, target: string) => string {
  const depth = path.split('.').length
  return (found, target) => {
    if (found == null || (found !== path && !found.startsWith(`${path}.`))) return target
    const keys = target.split('.')
    const at = depth - 1 - (found.split('.').length - keys.length)
    return at < 0 ? target : keys.with(at, to).join('.')
  }
}

/** Paths of all states as cases come to them: each below the one around it, the ends last. */
export function listStatePaths(flow: Flow): readonly string[] {
  return listPathsIn(flow.states, flow.initial)
}

function listPathsIn(states: FlowStates, initial: string | undefined): readonly string[] {
  return orderStates(states, initial).flatMap((key) => {
    const state = states[key]
    const inner = listPathsIn(state?.states ?? {}, state?.initial)
    return [key, ...inner.map((path) => `${key}.${path}`)]
  })
}

/** The database keeps no order of keys, so the way from the first state gives it. */
function orderStates(states: FlowStates, initial: string | undefined): readonly string[] {
  const reached = new Set(initial !== undefined && Object.hasOwn(states, initial) ? [initial] : [])
  for (const key of reached)
    for (const target of listTargets(states[key]))
      if (Object.hasOwn(states, target)) reached.add(target)
  const all = [...new Set([...reached, ...Object.keys(states)])]
  return all.toSorted((a, b) => rankEnd(states[a]) - rankEnd(states[b]))
}

/** Ends come last, those that refuse behind the others. */
function rankEnd(state: FlowState | undefined): number {
  return state?.final !== true ? 0 : state.tone === 'red' || state.tone === 'grey' ? 2 : 1
}

/** The first keys of the targets of the state's events, and of those within it. */
function listTargets(state: FlowState | undefined): readonly string[] {
  if (state === undefined) return []
  const { on = {}, after = {}, onDone } = state
  const targets = [
    ...sortEvents(on).flatMap(([, event]) => toAlternatives(event).map(({ target }) => target)),
    ...Object.values(after).map(({ target }) => target),
    ...(onDone === undefined ? [] : [typeof onDone === 'string' ? onDone : onDone.target]),
  ]
  return [
    ...targets.flatMap((target) => target?.split('.')[0] ?? []),
    ...Object.values(state.states ?? {}).flatMap(listTargets),
  ]
}
