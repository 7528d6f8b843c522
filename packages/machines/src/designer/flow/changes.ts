// Edits of a definition's flow as pure functions (docs/rules/contract.md#flows).
import type {
  Flow,
  FlowEvent,
  FlowEvents,
  FlowName,
  FlowState,
} from '@jiaowu/api/entity/definition/flow'
import { listParts } from '../../flow/parts.ts'
import type { Draft } from '../draft.ts'
import { type FlowStart, startFlow } from './start.ts'
import {
  createTargetRename,
  findState,
  listStatePaths,
  readEvents,
  renameKey,
  toAlternatives,
  withEvents,
  withoutEmpty,
  withState,
} from './states.ts'

/** An event by its state (`` for the flow), its key, and which of its alternatives. */
export interface EventPlace {
  readonly path: string
  readonly key: string
  readonly no: number
}

export type FlowChange =
  | ({ readonly type: 'start' } & FlowStart)
  | { readonly type: 'drop' }
  | { readonly type: 'set'; readonly patch: Partial<Omit<Flow, 'states' | 'on'>> }
  /** Adds a state within the one at the path; `` adds it to the flow. */
  | { readonly type: 'state.add'; readonly within: string; readonly name: FlowName }
  /** Lays the chart out by itself again. */
  | { readonly type: 'arrange' }
  | { readonly type: 'state.set'; readonly path: string; readonly patch: Partial<FlowState> }
  | { readonly type: 'state.rename'; readonly path: string; readonly key: string }
  | { readonly type: 'state.remove'; readonly path: string }
  /** `key` gets a number where the state has the event already. */
  | {
      readonly type: 'event.add'
      readonly path: string
      readonly key: string
      readonly event: FlowEvent
    }
  /** Adds a copy of the event as its next alternative. */
  | ({ readonly type: 'event.copy' } & EventPlace)
  | ({ readonly type: 'event.set'; readonly patch: Partial<FlowEvent> } & EventPlace)
  | {
      readonly type: 'event.rename'
      readonly path: string
      readonly key: string
      readonly to: string
    }
  | ({ readonly type: 'event.remove' } & EventPlace)

const keyPattern = /^[A-Za-z][A-Za-z0-9_]{0,39}$/

/** The draft after a change of its flow; the same object where the change cannot be made. */
export function applyFlowChange(draft: Draft, change: FlowChange): Draft {
  if (change.type === 'start') return startFlow(draft, change)
  const { flow, ...options } = draft.options
  if (flow === undefined) return draft
  if (change.type === 'drop') return { ...draft, options }
  const next = changeFlow(flow, change)
  return next === flow ? draft : { ...draft, options: { ...draft.options, flow: next } }
}

function changeFlow(
  flow: Flow,
  change: Exclude<FlowChange, { readonly type: 'start' | 'drop' }>,
): Flow {
  switch (change.type) {
    case 'set':
      return withoutEmpty({ ...flow, ...change.patch })
    case 'arrange':
      return listStatePaths(flow).reduce(
        (changed, path) => withState(changed, path, ({ at: _moved, ...state }) => state),
        flow,
      )
    case 'state.add':
      return addState(flow, change.within, change.name)
    case 'state.set':
      return withState(flow, change.path, (state) => withoutEmpty({ ...state, ...change.patch }))
    case 'state.rename':
      return renameState(flow, change.path, change.key)
    case 'state.remove':
      return removeState(flow, change.path)
    case 'event.add':
      return addEvent(flow, change.path, change.key, change.event)
    case 'event.copy':
    case 'event.set':
    case 'event.remove':
      return changeEvent(flow, change)
    case 'event.rename':
      return renameEvent(flow, change.path, change.key, change.to)
  }
}

/** The key that the next state within a path gets. */
export function findFreeStateKey(flow: Flow, within: string): string {
  const taken = (within === '' ? flow.states : findState(flow, within)?.states) ?? {}
  for (let n = Object.keys(taken).length + 1; ; n += 1)
    if (!Object.hasOwn(taken, `state${n}`)) return `state${n}`
}

function addState(flow: Flow, within: string, name: FlowName): Flow {
  const key = findFreeStateKey(flow, within)
  const added = { [key]: { name } }
  return within === ''
    ? { ...flow, states: { ...flow.states, ...added } }
    : withState(flow, within, ({ final: _ended, ...state }) =>
        withoutEmpty({
          ...state,
          states: { ...state.states, ...added },
          initial: state.type === 'parallel' ? undefined : (state.initial ?? key),
        }),
      )
}

/** Events, timers and starts that lead to the state follow it to its new key. */
function renameState(flow: Flow, path: string, key: string): Flow {
  const outer = path.split('.').slice(0, -1).join('.')
  const own = path.split('.').at(-1) ?? ''
  const siblings = (outer === '' ? flow.states : findState(flow, outer)?.states) ?? {}
  if (!keyPattern.test(key) || Object.hasOwn(siblings, key) || !Object.hasOwn(siblings, own))
    return flow
  const followed = renameTargets(flow, path, key)
  const rename = <T extends Pick<FlowState, 'initial' | 'states'>>(around: T): T => ({
    ...around,
    states: renameKey(around.states ?? {}, own, key),
    ...(around.initial === own && { initial: key }),
  })
  return outer === '' ? rename(followed) : withState(followed, outer, rename)
}

function renameTargets(flow: Flow, path: string, key: string): Flow {
  const { events, done } = listParts(flow)
  const rename = createTargetRename(path, key)
  const foundTarget = (at: string, eventKey: string, no: number) =>
    events.find((each) => each.path === at && each.key === eventKey && each.no === no)?.target
  const renameEvents = (at: string, on: FlowEvents): FlowEvents =>
    Object.fromEntries(
      Object.entries(on).map(([eventKey, event]) => {
        const next = toAlternatives(event).map((each, no) =>
          each.target === undefined
            ? each
            : { ...each, target: rename(foundTarget(at, eventKey, no), each.target) },
        )
        return [eventKey, toEvent(next)]
      }),
    )
  const start = flow.on === undefined ? flow : { ...flow, on: renameEvents('', flow.on) }
  return listStatePaths(flow).reduce(
    (changed, at) =>
      withState(changed, at, (state) =>
        withoutEmpty({
          ...state,
          on: state.on === undefined ? undefined : renameEvents(at, state.on),
          after:
            state.after === undefined
              ? undefined
              : Object.fromEntries(
                  Object.entries(state.after).map(([time, timer]) => [
                    time,
                    { ...timer, target: rename(foundTarget(at, time, 0), timer.target) },
                  ]),
                ),
          onDone:
            state.onDone === undefined
              ? undefined
              : typeof state.onDone === 'string'
                ? rename(done.get(at)?.target, state.onDone)
                : {
                    ...state.onDone,
                    target: rename(done.get(at)?.target, state.onDone.target),
                  },
        }),
      ),
    start,
  )
}

/** The last state of the flow stays. Events that lead to it are kept: the proof names them. */
function removeState(flow: Flow, path: string): Flow {
  const outer = path.split('.').slice(0, -1).join('.')
  const own = path.split('.').at(-1) ?? ''
  if (outer === '' && Object.keys(flow.states).length < 2) return flow
  const next = withState(flow, path, () => null)
  if (outer === '') {
    const [first = ''] = Object.keys(next.states)
    return next.initial === own && next !== flow ? { ...next, initial: first } : next
  }
  return withState(next, outer, (state) => {
    const [first] = Object.keys(state.states ?? {})
    return first === undefined
      ? withoutEmpty({
          ...state,
          states: undefined,
          initial: undefined,
          type: undefined,
          onDone: undefined,
        })
      : withoutEmpty({ ...state, initial: state.initial === own ? first : state.initial })
  })
}

function addEvent(flow: Flow, path: string, wanted: string, event: FlowEvent): Flow {
  const on = readEvents(flow, path)
  let key = wanted
  for (let n = 2; Object.hasOwn(on, key); n += 1) key = `${wanted}${n}`
  return keyPattern.test(key) ? withEvents(flow, path, { ...on, [key]: event }) : flow
}

function changeEvent(
  flow: Flow,
  change: Extract<FlowChange, { readonly type: 'event.copy' | 'event.set' | 'event.remove' }>,
): Flow {
  const { path, key, no } = change
  const on = readEvents(flow, path)
  const all = toAlternatives(Object.hasOwn(on, key) ? on[key] : undefined)
  const event = all[no]
  if (event === undefined) return flow
  const next =
    change.type === 'event.remove'
      ? all.filter((_each, at) => at !== no)
      : change.type === 'event.copy'
        ? all.toSpliced(no + 1, 0, event)
        : all.with(no, withoutEmpty({ ...event, ...change.patch }))
  if (next.length > 0) return withEvents(flow, path, { ...on, [key]: toEvent(next) })
  const { [key]: _removed, ...rest } = on
  return withEvents(flow, path, rest)
}

function toEvent(alternatives: readonly FlowEvent[]): FlowEvents[string] {
  const [only] = alternatives
  return alternatives.length === 1 && only !== undefined ? only : [...alternatives]
}

function renameEvent(flow: Flow, path: string, key: string, to: string): Flow {
  const on = readEvents(flow, path)
  return !Object.hasOwn(on, key) || Object.hasOwn(on, to) || !keyPattern.test(to)
    ? flow
    : withEvents(flow, path, renameKey(on, key, to))
}
