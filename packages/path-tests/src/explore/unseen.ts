import type { Finding } from './findings.ts'
import type { Node } from './graph.ts'
import { listStates } from './transitions.ts'
import type { Model } from '../model/define-model.ts'
import { listUsedChildren } from '../model/read-actions.ts'
import { suggestName } from '../run/lint.ts'

/** Findings about parts of the model and of the context that the exploration does not see. */
export function findUnseen<Seen>(model: Model<Seen>, nodes: readonly Node[]): Finding[] {
  return [...findUnusedChildren(model), ...findHiddenData(model, nodes)]
}

/** Entries of `children` for nothing that the machine declares or has started: misspelt ones. */
function findUnusedChildren<Seen>({ machine, children }: Model<Seen>): Finding[] {
  const used = listUsedChildren(children)
  const declared = new Set([
    ...Object.keys(machine.implementations.actors),
    ...listStates(machine).flatMap(({ invoke }) =>
      invoke.flatMap(({ id, src }) => [id, ...(typeof src === 'string' ? [src] : [])]),
    ),
  ])
  return Object.keys(children)
    .filter((name) => children[name] !== undefined && !used.has(name) && !declared.has(name))
    .map((name) => ({
      code: 'unused-child',
      message: `no child of the machine is called ${name}${suggestName(name, [...declared])}`,
      state: '',
      event: null,
      path: '',
      times: 1,
    }))
}

/** Objects whose private fields the default key cannot tell apart. */
function findHiddenData<Seen>(model: Model<Seen>, nodes: readonly Node[]): Finding[] {
  if (!model.wholeKey) return []
  const found = new Map<string, Finding>()
  for (const { snapshot, state } of nodes)
    for (const [name, value] of Object.entries((snapshot.context ?? {}) as object)) {
      const hidden = model.ignore?.includes(name) === true ? null : findPrivate(value, name, 5)
      if (hidden !== null && !found.has(hidden))
        found.set(hidden, {
          code: 'hidden-data',
          message: `the key cannot see inside context.${hidden}: give a key, or the class a toJSON`,
          state,
          event: null,
          path: '',
          times: 1,
        })
    }
  return [...found.values()]
}

/** The place and class of an object with private fields and no `toJSON`. */
function findPrivate(value: unknown, path: string, depth: number): string | null {
  if (typeof value !== 'object' || value === null || depth === 0) return null
  if ('toJSON' in value || 'sessionId' in value) return null
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) {
    const { constructor } = value
    return hasPrivateFields(constructor) ? `${path} (${constructor.name})` : null
  }
  for (const [name, part] of Object.entries(value)) {
    const found = findPrivate(part, `${path}.${name}`, depth - 1)
    if (found !== null) return found
  }
  return null
}

const isPrivate = new WeakMap<object, boolean>()

/** Whether the source of a class declares `#names`. */
function hasPrivateFields(made: unknown): boolean {
  if (typeof made !== 'function') return false
  const known = isPrivate.get(made) ?? /^class\b[^]*?[\s{;]#[\w$]+/.test(String(made))
  isPrivate.set(made, known)
  return known
}
