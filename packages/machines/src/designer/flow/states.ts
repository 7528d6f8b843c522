// States of a flow by their paths, for edits that return a changed copy.
import type { Flow, FlowEvent, FlowEvents, FlowState } from '@jiaowu/api/entity/definition/flow'

export type FlowStates = Readonly<Record<string, FlowState>>

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
  return Object.entries(readEvents(flow, path)).map(([key, event]) => ({
    key,
    alternatives: toAlternatives(event),
  }))
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

/** Paths of all states: each below the one around it. */
export function listStatePaths({ states }: Pick<Flow, 'states'>): readonly string[] {
  return Object.entries(states).flatMap(([key, state]) => [
    key,
    ...listStatePaths({ states: state.states ?? {} }).map((path) => `${key}.${path}`),
  ])
}
