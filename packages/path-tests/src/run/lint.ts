import type { AnyActorLogic, AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { isPromise } from '../model/children.ts'
import { listStates } from '../explore/transitions.ts'

export interface LintOptions {
  /** Also ask that every invoke names its source in `setup` and has that name as its id. */
  readonly namedInvokes?: boolean
}

/**
 * Checks that types cannot express: names that match nothing (TypeScript checks them only where
 * `setup` declares them, and a misspelt delay fires at once), calls without `onError`, unreachable
 * branches, endless `always`. `events` are all event types that are sent (the model's); with them,
 * misspelt events are reported by name.
 */
export function lint(
  machine: AnyStateMachine,
  events: readonly string[] | null = null,
  { namedInvokes = false }: LintOptions = {},
): string[] {
  const states = listStates(machine)
  const handled = [...new Set(states.flatMap((node) => [...node.transitions.keys()]))].filter(
    (type) => !type.startsWith('xstate.') && type !== '',
  )
  const neverSent =
    events === null
      ? []
      : states.flatMap((node) =>
          [...node.transitions.keys()]
            .filter(
              (type) =>
                handled.includes(type) && !events.some((sent) => matchesDescriptor(type, sent)),
            )
            .map((type) => `${node.id}: no sample sends ${type}${suggestName(type, events)}`),
        )
  const neverTaken = (events ?? [])
    .filter((sent) => !handled.some((type) => matchesDescriptor(type, sent)))
    .map((sent) => `${machine.id}: no state handles ${sent}${suggestName(sent, handled)}`)
  return [
    ...neverSent,
    ...neverTaken,
    ...states.flatMap((node) => [
      ...nameFaults(machine, node),
      ...invokeFaults(machine, node, namedInvokes),
      ...branchFaults(node),
      ...alwaysFaults(node),
    ]),
  ]
}

function matchesDescriptor(descriptor: string, type: string): boolean {
  return (
    descriptor === '*' ||
    descriptor === type ||
    (descriptor.endsWith('.*') && `${type}.`.startsWith(descriptor.slice(0, -1)))
  )
}

/** The nearest of the known names, for a message. */
export function suggestName(name: string, known: readonly string[]): string {
  const nearest = known
    .map((each) => ({ each, far: distance(name, each) }))
    .sort((a, b) => a.far - b.far)[0]
  return nearest !== undefined && nearest.far <= Math.max(2, name.length / 3)
    ? `; is ${nearest.each} meant?`
    : ''
}

/** Edit distance of two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j += 1)
      next.push(
        Math.min(
          (row[j + 1] ?? 0) + 1,
          (next[j] ?? 0) + 1,
          (row[j] ?? 0) + (letter === b[j] ? 0 : 1),
        ),
      )
    row = next
  }
  return row[b.length] ?? 0
}

function nameFaults(machine: AnyStateMachine, node: AnyStateNode): string[] {
  const { actions, guards, delays } = machine.implementations
  const config = node.config as { after?: Record<string, unknown>; entry?: unknown; exit?: unknown }
  const branches = [
    ...node.transitions.values(),
    node.always ?? [],
  ].flat() as AnyTransitionDefinition[]
  const used = (kind: string, parts: readonly unknown[], known: object) =>
    parts
      .map(readPartName)
      .filter(
        (name): name is string =>
          name !== null && !Object.hasOwn(known, name) && !name.startsWith('xstate.'),
      )
      .map(
        (name) =>
          `${node.id}: no ${kind} is called ${name}${suggestName(name, Object.keys(known))}`,
      )
  return [
    ...used(
      'delay',
      Object.keys(config.after ?? {}).filter((name) => Number.isNaN(Number(name))),
      delays,
    ),
    ...used(
      'guard',
      branches.map(({ guard }) => guard),
      guards,
    ),
    ...used(
      'action',
      [
        ...asList(config.entry),
        ...asList(config.exit),
        ...branches.flatMap(({ actions: taken }) => taken),
      ],
      actions,
    ),
  ]
}

function readPartName(part: unknown): string | null {
  return typeof part === 'string'
    ? part
    : typeof part === 'object' &&
        part !== null &&
        'type' in part &&
        typeof part.type === 'string' &&
        !('resolve' in part) &&
        !('check' in part)
      ? part.type
      : null
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

function invokeFaults(machine: AnyStateMachine, node: AnyStateNode, named: boolean): string[] {
  return asList((node.config as { invoke?: unknown }).invoke).flatMap((each) => {
    const { id, src, onError } = each as { id?: string; src: unknown; onError?: unknown }
    if (typeof src !== 'string')
      return named
        ? [`${node.id}: invoke ${id ?? ''} has its logic inline; name it in setup`]
        : onError === undefined && isPromise(src as AnyActorLogic)
          ? [`${node.id}: invoke ${id ?? '(inline)'} has no onError`]
          : []
    const logic = machine.implementations.actors[src] as AnyActorLogic | undefined
    if (logic === undefined)
      return [
        `${node.id}: nothing is called ${src} to invoke${suggestName(src, Object.keys(machine.implementations.actors))}`,
      ]
    // A child machine that only waits cannot fail, and may run twice under two ids.
    if (typeof logic === 'object' && 'root' in logic) return []
    return [
      ...(id === src || !named
        ? []
        : [`${node.id}: invoke ${src} has the id ${id ?? '(none)'}, not its own name`]),
      ...(onError === undefined && (named || isPromise(logic))
        ? [`${node.id}: invoke ${src} has no onError`]
        : []),
    ]
  })
}

function branchFaults(node: AnyStateNode): string[] {
  return [...node.transitions, ['', node.always ?? []] as const].flatMap(
    ([type, branches]: readonly [string, readonly AnyTransitionDefinition[]]) => {
      const open = branches.findIndex(({ guard }) => guard === undefined)
      return open === -1
        ? []
        : branches
            .slice(open + 1)
            .map(
              (_, index) =>
                `${node.id}: branch ${open + 2 + index} of ${type === '' ? 'always' : type} is shadowed by branch ${open + 1}, which has no guard`,
            )
    },
  )
}

function alwaysFaults(node: AnyStateNode): string[] {
  return (node.always ?? [])
    .filter(
      ({ guard, target }: AnyTransitionDefinition) =>
        guard === undefined &&
        (target === undefined || target.some((each: AnyStateNode) => each === node)),
    )
    .map(() => `${node.id}: always without a guard leads back to itself and never ends`)
}
