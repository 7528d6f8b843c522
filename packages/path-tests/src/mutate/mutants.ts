import {
  type AnyStateMachine,
  type AnyStateNode,
  type AnyTransitionDefinition,
  createMachine,
  not,
} from 'xstate'
import { maxIterations } from '../model/define-model.ts'
import { shortEvent, listStates, type TransitionId } from '../explore/transitions.ts'

export interface Mutant {
  readonly id: string
  readonly kind: string
  readonly machine: AnyStateMachine
  /** Where it differs from the machine; see `stepsTo`. */
  readonly place: MutantPlace
}

export interface MutantPlace {
  /** Id of the state whose configuration differs. */
  readonly state: string
  /** The event whose branches differ, as in a `TransitionId`; null for another part of the state. */
  readonly event: string | null
}
type Bag = Record<string, unknown>
interface Edit {
  readonly id: string
  readonly kind: string
  /** The event whose branches it changes. */ readonly event?: string
  /** Changes a copy of the state's configuration. */ apply(state: Bag): void
  /** Replaces delays of the implementations. */ readonly delays?: Bag
}

/** The place of a transition's branches: `holder[key]` in the state's configuration. */
interface Slot {
  readonly name: string
  readonly event: string
  readonly path: readonly (string | number)[]
}

/**
 * Machines that differ from this one by one small fault each, in a fixed order. Faults that xstate
 * refuses at creation are left out. A named delay is changed wherever it is used.
 */
export function mutants(machine: AnyStateMachine): Mutant[] {
  return listStates(machine).flatMap((node) => {
    const edits = [
      ...listMutationSlots(node).flatMap((slot) =>
        branchEdits(node, slot, node.config as Bag).map((edit) => ({ ...edit, event: slot.event })),
      ),
      ...stateEdits(node, machine),
    ]
    return edits.flatMap(({ id, kind, event, apply, delays }): Mutant[] => {
      try {
        const changed = rebuild(
          machine,
          (config) => {
            let state = config
            for (const key of node.path) state = (state.states as Record<string, Bag>)[key] as Bag
            apply(state)
          },
          delays,
        )
        const place = { state: node.id, event: event === undefined ? null : shortEvent(event) }
        return [{ id, kind, machine: changed, place }]
      } catch {
        return []
      }
    })
  })
}

/**
 * Number of steps until a walk takes a transition of the place, or else leaves or enters its state;
 * Infinity when it does neither.
 * @param taken the transitions of each step
 */
export function stepsTo(
  { state, event }: MutantPlace,
  taken: readonly (readonly TransitionId[])[],
): number {
  const first = (isNear: (id: TransitionId) => boolean) =>
    taken.findIndex((ids) => ids.some(isNear))
  const changed = event === null ? -1 : first((id) => id.startsWith(`${state} --${event}[`))
  if (changed !== -1) return changed
  const near = first((id) => id.startsWith(`${state} --`) || id.includes(`> ${state}`))
  return near === -1 ? Infinity : taken.length + near
}

/**
 * Sorts what a mutant can be tried on: first that which takes what it changes after the fewest steps.
 * @param takenOf the transitions of each step of an item
 */
export function nearestFirst<T>(
  items: readonly T[],
  place: MutantPlace,
  takenOf: (item: T) => readonly (readonly TransitionId[])[],
): readonly T[] {
  return items
    .map((item) => ({ item, steps: stepsTo(place, takenOf(item)) }))
    .sort((a, b) => (a.steps === b.steps ? 0 : a.steps - b.steps))
    .map(({ item }) => item)
}

/** The machine without a fault, under the same limits as its mutants. */
export function unbroken(machine: AnyStateMachine): AnyStateMachine {
  return rebuild(machine, () => {})
}

function rebuild(
  machine: AnyStateMachine,
  change: (config: Bag) => void,
  delays: Bag = {},
): AnyStateMachine {
  const config = copy(machine.config as unknown as Bag)
  change(config)
  config.options = { maxIterations, ...(config.options as Bag | undefined) }
  const { actions, actors, guards, delays: written } = machine.implementations
  return createMachine(
    config as never,
    { actions, actors, guards, delays: { ...written, ...delays } } as never,
  ) as unknown as AnyStateMachine
}

/** The branches of an invoke, and the event that each waits for, without the child's id. */
const eventsOfInvoke = {
  onDone: 'xstate.done.actor',
  onError: 'xstate.error.actor',
  onSnapshot: 'xstate.snapshot',
} as const

function listMutationSlots(node: AnyStateNode): Slot[] {
  const config = node.config as Bag
  const keyed = (field: 'on' | 'after', event: (key: string) => string): Slot[] =>
    Object.keys((config[field] ?? {}) as Bag).map((key) => ({
      name: field === 'on' ? key : `after ${key}`,
      event: event(key),
      path: [field, key],
    }))
  const invokes = asList(config.invoke).flatMap((each, index) =>
    Object.entries(eventsOfInvoke)
      .filter(([side]) => (each as Bag)[side] !== undefined)
      .map(([side, prefix]): Slot => ({
        name: `${side} ${String((each as Bag).id ?? (each as Bag).src)}`,
        event: `${prefix}.${String((each as Bag).id)}`,
        path: ['invoke', index, side],
      })),
  )
  return [
    ...keyed('on', (key) => key),
    ...keyed('after', (key) => `xstate.after.${key}.${node.id}`),
    ...(config.always === undefined ? [] : [{ name: 'always', event: '', path: ['always'] }]),
    ...(config.onDone === undefined
      ? []
      : [{ name: 'onDone', event: `xstate.done.state.${node.id}`, path: ['onDone'] }]),
    ...invokes,
  ]
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

function branchEdits(node: AnyStateNode, { name, event, path }: Slot, config: Bag): Edit[] {
  const [holder, key] = findHolder(copy(config), path)
  const branches = asList(holder[key]).map(asBranch)
  const declared = event === '' ? (node.always ?? []) : (node.transitions.get(event) ?? [])
  const edits = branches.flatMap((branch, at) => {
    const where = `${node.id} ${name}[${at}]`
    return [
      ...targetEdits(where, path, at, branch, elsewhere(declared[at])),
      ...guardEdits(where, path, at, branch.guard),
      ...actionEdits(where, path, at, branch),
    ]
  })
  const swaps = branches.slice(1).map((_, at): Edit => ({
    id: `${node.id} ${name}[${at}] and [${at + 1}] swapped`,
    kind: 'swap branches',
    apply: onBranches(path, (all) =>
      all.map(
        (each, index) => (index === at ? all[at + 1] : index === at + 1 ? all[at] : each) ?? each,
      ),
    ),
  }))
  return [...edits, ...swaps]
}

type SlotPath = Slot['path']

/** The transition is dropped, goes elsewhere, or stays in its state. */
function targetEdits(
  where: string,
  path: SlotPath,
  at: number,
  branch: Bag,
  other: string | null,
): Edit[] {
  const dropped: Edit = {
    id: `${where} dropped`,
    kind: 'drop transition',
    apply: onBranches(path, (all) => all.filter((_, index) => index !== at)),
  }
  const retargeted: Edit = {
    id: `${where} goes to ${other}`,
    kind: 'retarget',
    apply: onBranch(path, at, (each) => ({ ...each, target: other })),
  }
  const stays: Edit = {
    id: `${where} stays`,
    kind: 'drop target',
    apply: onBranch(path, at, (each) => omitKey(each, 'target')),
  }
  return [
    dropped,
    ...(other === null ? [] : [retargeted]),
    ...(branch.target === undefined ? [] : [stays]),
  ]
}

function guardEdits(where: string, path: SlotPath, at: number, guard: unknown): Edit[] {
  if (guard === undefined) return []
  const change = (words: string, kind: string, to: (each: Bag) => Bag): Edit => ({
    id: `${where} guard ${formatMutantName(guard)} ${words}`,
    kind,
    apply: onBranch(path, at, to),
  })
  return [
    change('negated', 'negate guard', (each) => ({ ...each, guard: not(guard as string) })),
    change('always true', 'guard true', (each) => omitKey(each, 'guard')),
    change('always false', 'guard false', (each) => ({ ...each, guard: () => false })),
  ]
}

/** An action is dropped, or the state is not entered again. */
function actionEdits(where: string, path: SlotPath, at: number, branch: Bag): Edit[] {
  const actions = asList(branch.actions)
  const dropped = actions.map((action, index): Edit => ({
    id: `${where} action ${formatMutantName(action)} dropped`,
    kind: 'drop action',
    apply: onBranch(path, at, (each) => ({
      ...each,
      actions: actions.filter((_, other) => other !== index),
    })),
  }))
  if (branch.reenter !== true) return dropped
  const apply = onBranch(path, at, (each) => omitKey(each, 'reenter'))
  return [...dropped, { id: `${where} does not reenter`, kind: 'drop reenter', apply }]
}

function findHolder(state: Bag, path: readonly (string | number)[]): [Bag, string] {
  if (path[0] === 'invoke' && !Array.isArray(state.invoke)) state.invoke = [state.invoke]
  let holder: unknown = state
  for (const key of path.slice(0, -1)) holder = (holder as Bag)[String(key)]
  return [holder as Bag, String(path.at(-1))]
}

function copy<T>(value: T): T {
  return (
    Array.isArray(value)
      ? value.map(copy)
      : isBag(value)
        ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copy(each)]))
        : value
  ) as T
}

function isBag(value: unknown): value is Bag {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null) &&
    !('transition' in value)
  )
}

function asBranch(value: unknown): Bag {
  return typeof value === 'string' ? { target: value } : isBag(value) ? value : {}
}

/** Another state to go to: the next sibling of the target, round robin. */
function elsewhere(transition: AnyTransitionDefinition | undefined): string | null {
  const target = transition?.target?.[0] as AnyStateNode | undefined
  const siblings = Object.values(
    (target?.parent?.states ?? {}) as Record<string, AnyStateNode>,
  ).filter(({ type }) => type !== 'history')
  const next =
    target === undefined ? undefined : siblings[(siblings.indexOf(target) + 1) % siblings.length]
  return next === undefined || next === target ? null : `#${next.id}`
}

/** Changes the branches of a slot in a copied state. */
function onBranches(path: readonly (string | number)[], change: (branches: Bag[]) => Bag[]) {
  return (state: Bag): void => {
    const [holder, key] = findHolder(state, path)
    const branches = change(asList(holder[key]).map(asBranch))
    if (branches.length === 0) Reflect.deleteProperty(holder, key)
    else holder[key] = branches
  }
}

function onBranch(path: readonly (string | number)[], at: number, change: (branch: Bag) => Bag) {
  return onBranches(path, (branches) =>
    branches.map((branch, index) => (index === at ? change(branch) : branch)),
  )
}

function omitKey(bag: Bag, key: string): Bag {
  const { [key]: _dropped, ...rest } = bag
  return rest
}

function formatMutantName(part: unknown): string {
  return typeof part === 'string'
    ? part
    : isBag(part) && typeof part.type === 'string'
      ? part.type
      : '(inline)'
}

function stateEdits(node: AnyStateNode, machine: AnyStateMachine): Edit[] {
  const config = node.config as Bag
  const parts = (field: 'entry' | 'exit' | 'tags') =>
    asList(config[field]).map((part, at): Edit => ({
      id: `${node.id} ${field} ${formatMutantName(part)} dropped`,
      kind: `drop ${field === 'tags' ? 'tag' : field}`,
      apply: (state) => {
        state[field] = asList(state[field]).filter((_, index) => index !== at)
      },
    }))
  const invokes = asList(config.invoke).flatMap((each, at): Edit[] => {
    const name = String((each as Bag).src)
    return [
      {
        id: `${node.id} invoke ${name} dropped`,
        kind: 'drop invoke',
        apply: (state) => {
          state.invoke = asList(state.invoke).filter((_, index) => index !== at)
        },
      },
      ...((each as Bag).input === undefined
        ? []
        : [
            {
              id: `${node.id} invoke ${name} without input`,
              kind: 'drop input',
              apply: (state: Bag) => {
                state.invoke = asList(state.invoke).map((one, index) =>
                  index === at ? omitKey(one as Bag, 'input') : one,
                )
              },
            },
          ]),
    ]
  })
  const siblings = Object.keys(node.states as Bag)
  const initial =
    typeof config.initial === 'string'
      ? siblings[(siblings.indexOf(config.initial) + 1) % siblings.length]
      : undefined
  const delays = Object.keys((config.after ?? {}) as Bag).flatMap((name) =>
    [2, 0.5].map((factor) => delayEdit(node, machine, name, factor)),
  )
  return [
    ...parts('entry'),
    ...parts('exit'),
    ...parts('tags'),
    ...invokes,
    ...(initial === undefined || initial === config.initial
      ? []
      : [
          {
            id: `${node.id} starts in ${initial}`,
            kind: 'other initial',
            apply: (state: Bag) => {
              state.initial = initial
            },
          },
        ]),
    ...delays,
  ]
}

function delayEdit(
  node: AnyStateNode,
  machine: AnyStateMachine,
  name: string,
  factor: number,
): Edit {
  const scaled = (delay: unknown): unknown =>
    typeof delay === 'function'
      ? (...args: unknown[]) => Number((delay as (...all: unknown[]) => unknown)(...args)) * factor
      : Number(delay) * factor
  const written = (machine.implementations.delays as Bag)[name]
  const id = `${node.id} after ${name} times ${factor}`
  if (written !== undefined)
    return { id, kind: 'change delay', apply: () => {}, delays: { [name]: scaled(written) } }
  return {
    id,
    kind: 'change delay',
    apply: (state) => {
      state.after = Object.fromEntries(
        Object.entries(state.after as Bag).map(([key, branches]) => [
          key === name ? String(Number(name) * factor) : key,
          branches,
        ]),
      )
    },
  }
}
