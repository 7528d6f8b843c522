// The states and events of a flow with their paths and targets, and faults of its shape.
import type {
  Flow,
  FlowEffect,
  FlowEvent,
  FlowEvents,
  FlowState,
} from '@jiaowu/api/entity/definition/flow'
import { type FlowPeople, parsePeople } from './people.ts'

export interface StatePart {
  /** Keys from the outermost state, joined by dots; `` for the flow itself. */
  readonly path: string
  readonly key: string
  readonly state: FlowState | null
  readonly children: readonly string[]
  readonly isParallel: boolean
  readonly isFinal: boolean
}

/** One alternative of an event, or a timer of a state. */
export interface EventPart {
  /** The type of the machine's event: `path:KEY`; of a timer `path@DURATION`. */
  readonly type: string
  readonly path: string
  /** The key of the event, or the duration of the timer. */
  readonly key: string
  readonly no: number
  readonly event: FlowEvent | null
  readonly people: FlowPeople | null
  /** Path; null where the state stays. */
  readonly target: string | null
  readonly effects: readonly FlowEffect[]
}

export interface FlowParts {
  readonly flow: Flow
  readonly states: ReadonlyMap<string, StatePart>
  readonly events: readonly EventPart[]
  /** The transition at the end of a state's states, by its path. */
  readonly done: ReadonlyMap<
    string,
    { readonly target: string; readonly effects: readonly FlowEffect[] }
  >
  readonly faults: readonly ShapeFault[]
}

export type ShapeRule =
  | 'initial'
  | 'noInitial'
  | 'final'
  | 'target'
  | 'who'
  | 'onDone'
  | 'regions'
  | 'depth'
interface ShapeFault {
  readonly rule: ShapeRule
  /** `states.review.on.APPROVE` */
  readonly at: string
  readonly state: string
  readonly event: string
  readonly name: string
}

const deepest = 4
const most = 60

export function listParts(flow: Flow): FlowParts {
  const states = new Map<string, StatePart>()
  collectStates(states, '', flow.states)
  const faults: ShapeFault[] = []
  const events: EventPart[] = []
  const done = new Map<string, { target: string; effects: readonly FlowEffect[] }>()
  const fault = (rule: ShapeRule, path: string, event = '', name = '') =>
    faults.push({ rule, at: formatPlace(path, event), state: path, event, name })
  states.set('', {
    path: '',
    key: '',
    state: null,
    children: Object.keys(flow.states),
    isParallel: false,
    isFinal: false,
  })
  if (!Object.hasOwn(flow.states, flow.initial)) fault('initial', '', '', flow.initial)
  if (states.size > most) fault('depth', '', '', String(states.size))
  for (const part of states.values()) {
    checkShape(part, fault)
    const { path, state } = part
    const resolve = (target: string, event: string): string | null => {
      const found = resolveTarget(states, path, target)
      if (found === null) fault('target', path, event, target)
      return found
    }
    for (const [key, alternatives] of listEvents(state === null ? flow.on : state.on)) {
      for (const [no, event] of alternatives.entries()) {
        const people = parsePeople(event.who)
        if (people === null) fault('who', path, key)
        const target = event.target === undefined ? null : resolve(event.target, key)
        events.push({
          type: `${path}:${key}`,
          path,
          key,
          no,
          event,
          people,
          target,
          effects: event.effects ?? [],
        })
      }
    }
    for (const [key, { target, effects = [] }] of Object.entries(state?.after ?? {}))
      events.push({
        type: `${path}@${key}`,
        path,
        key,
        no: 0,
        event: null,
        people: null,
        target: resolve(target, key),
        effects,
      })
    if (state?.onDone !== undefined) {
      const { target, effects = [] } =
        typeof state.onDone === 'string' ? { target: state.onDone } : state.onDone
      const found = resolve(target, 'onDone')
      if (found !== null) done.set(path, { target: found, effects })
    }
  }
  return { flow, states, events, done, faults }
}

function collectStates(
  into: Map<string, StatePart>,
  path: string,
  states: Readonly<Record<string, FlowState>>,
): void {
  for (const [key, state] of Object.entries(states)) {
    const own = joinPath(path, key)
    into.set(own, {
      path: own,
      key,
      state,
      children: Object.keys(state.states ?? {}),
      isParallel: state.type === 'parallel',
      isFinal: state.final === true,
    })
    if (state.states !== undefined) collectStates(into, own, state.states)
  }
}

function listEvents(
  events: FlowEvents | undefined,
): readonly (readonly [string, readonly FlowEvent[]])[] {
  return Object.entries(events ?? {}).map(([key, event]) => [
    key,
    Array.isArray(event) ? event : [event],
  ])
}

function checkShape(
  { path, state, children, isParallel }: StatePart,
  fault: (rule: ShapeRule, path: string, event?: string, name?: string) => void,
): void {
  if (state === null) return
  if (path.split('.').length > deepest) fault('depth', path)
  if (
    state.final === true &&
    [state.on, state.after, state.states, state.edit].some((part) => part !== undefined)
  )
    fault('final', path)
  if (children.length === 0) {
    if (state.initial !== undefined || isParallel) fault('noInitial', path)
    if (state.onDone !== undefined) fault('onDone', path)
  } else if (isParallel) {
    if (state.initial !== undefined) fault('noInitial', path)
    if (children.length < 2) fault('regions', path)
  } else if (state.initial === undefined || !children.includes(state.initial))
    fault('initial', path, '', state.initial ?? '')
}

/** A state beside the one of the event, within it, or beside one around it. */
function resolveTarget(
  states: ReadonlyMap<string, StatePart>,
  path: string,
  target: string,
): string | null {
  const around = path === '' ? [''] : [...listAncestors(path), '']
  for (const outer of around) {
    const found = joinPath(outer, target)
    if (states.has(found)) return found
  }
  const within = joinPath(path, target)
  return states.has(within) ? within : null
}

/** The paths of the states around one, innermost first. */
export function listAncestors(path: string): readonly string[] {
  const keys = path.split('.')
  return keys.slice(1).map((_key, i) => keys.slice(0, keys.length - 1 - i).join('.'))
}

export function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

/** Where a part of the flow stands in a definition, below `options.flow`. */
function formatPlace(path: string, event = ''): string {
  const state = path === '' ? '' : `states.${path.split('.').join('.states.')}`
  const own =
    event === ''
      ? ''
      : event === 'onDone'
        ? 'onDone'
        : event.includes(' ')
          ? `after.${event}`
          : `on.${event}`
  return [state, own].filter((part) => part !== '').join('.')
}

/** The place of a part as findings name it: `options.flow.states.review.on.APPROVE`. */
export function formatDefinitionPlace(path: string, event = ''): string {
  const place = formatPlace(path, event)
  return place === '' ? 'options.flow' : `options.flow.${place}`
}

/** The key of the event, or the duration of the timer, that a type of the machine's event ends in. */
export function readEventKey(type: string): string {
  return type.split(/[:@]/).at(-1) ?? type
}

/** The effects of all events, timers and ends. */
export function listEffects({
  events,
  done,
}: Pick<FlowParts, 'events' | 'done'>): readonly FlowEffect[] {
  return [...events, ...done.values()].flatMap(({ effects }) => effects)
}

/** The expressions of an effect by the attribute that they set; none for documents and notices. */
export function listSets(effect: FlowEffect): Readonly<Record<string, string>> {
  return 'set' in effect
    ? effect.set
    : 'update' in effect
      ? effect.update.set
      : 'create' in effect
        ? effect.create.set
        : {}
}

/** The fields that effects change, of the row and of rows that relations lead to: `student.status`. */
export function listWrites(parts: Pick<FlowParts, 'events' | 'done'>): ReadonlySet<string> {
  return new Set(
    listEffects(parts).flatMap((effect) => {
      const names = Object.keys(listSets(effect))
      return 'set' in effect
        ? names
        : 'update' in effect
          ? names.map((name) => `${effect.update.relation}.${name}`)
          : []
    }),
  )
}

/** Codes of the roles that decide. */
export function listRoles({ events }: Pick<FlowParts, 'events'>): readonly string[] {
  const terms = events.flatMap(({ people }) => people?.terms ?? [])
  return [...new Set(terms.flatMap((term) => ('role' in term ? [term.role] : [])))]
}

/** Whether the event decides something: one that only notes something, or tells people, does not. */
export function isDecision({ target, effects }: Pick<EventPart, 'target' | 'effects'>): boolean {
  return target !== null || effects.some((effect) => !('notify' in effect || 'copy' in effect))
}

/**
 * Whether the event leads on: neither back to a step that comes before, nor to an end that refuses, and not to
 * the state itself. The order is that of the fewest steps from the start.
 */
export function isForward(parts: FlowParts, { path, target }: EventPart): boolean {
  if (target === null || target === path || isRefusedEnd(parts, target)) return false
  const steps = countSteps(parts)
  return (steps.get(target) ?? Infinity) > (steps.get(path) ?? 0)
}

const stepCounts = new WeakMap<FlowParts, ReadonlyMap<string, number>>()

/** The fewest steps from the start by the path of the state. */
function countSteps(parts: FlowParts): ReadonlyMap<string, number> {
  const known = stepCounts.get(parts)
  if (known !== undefined) return known
  const { flow, states, events, done } = parts
  const steps = new Map<string, number>()
  const queue: string[] = []
  const enterState = (path: string, count: number) => {
    for (const each of [...listAncestors(path), path])
      if (!steps.has(each)) {
        steps.set(each, count)
        queue.push(each)
      }
    const part = states.get(path)
    const inner = part?.isParallel === true ? part.children : [part?.state?.initial]
    for (const key of inner) if (key !== undefined) enterState(joinPath(path, key), count)
  }
  enterState(flow.initial, 0)
  // The queue grows while it is walked, in the order of steps.
  for (const path of queue) {
    const next = (steps.get(path) ?? 0) + 1
    for (const { path: from, target } of events)
      if (from === path && target !== null && !steps.has(target)) enterState(target, next)
    const end = done.get(path)?.target
    if (end !== undefined && !steps.has(end)) enterState(end, next)
  }
  stepCounts.set(parts, steps)
  return steps
}

/** Whether the state is an end that refuses: one in red or grey. */
export function isRefusedEnd({ states }: Pick<FlowParts, 'states'>, path: string): boolean {
  const state = states.get(path)?.state
  return state?.final === true && (state.tone === 'red' || state.tone === 'grey')
}

/** The conditions that tell rows apart: those of events, and of rules. */
export function listConditions({ events, flow }: FlowParts): readonly string[] {
  return [
    ...events.flatMap(({ event }) => event?.when ?? []),
    ...(flow.rules ?? []).flatMap((rule) =>
      typeof rule === 'object' && 'noEffectWhen' in rule ? [rule.noEffectWhen] : [],
    ),
  ]
}
