import { formatErrorMessage } from './findings.ts'
import type { ModelState, Move } from '../model/model-state.ts'
import { stableText } from '../model/text.ts'

export interface Instability {
  readonly code: 'not-deterministic' | 'changed-in-place'
  /** The first part that differs, such as `context.apple`. */ readonly part: string
}

/** The text of each state's context as of the last step from it, so that a step reads it once. */
const contexts = new WeakMap<ModelState, string>()

/**
 * Makes a step twice. Reports the first part in which the results differ, or that the step changed
 * the context that it started from, which belongs to the state before.
 */
export function stepTwice(
  before: ModelState | null,
  run: () => Move,
): { readonly move: Move; readonly unstable: Instability | null } {
  const given = before === null ? '' : (contexts.get(before) ?? formatContext(before))
  const move = run()
  const one = formatMove(move)
  if (before !== null) {
    const left = formatContext(before)
    contexts.set(before, left)
    if (left !== given)
      return {
        move,
        unstable: { code: 'changed-in-place', part: `context.${difference(given, left)}` },
      }
  }
  const other = formatMove(run())
  return {
    move,
    unstable: one === other ? null : { code: 'not-deterministic', part: difference(one, other) },
  }
}

function formatContext({ snapshot }: ModelState): string {
  return stableText(snapshot.context)
}

function formatMove({ at, effects, crash }: Move): string {
  return stableText(
    crash === null
      ? {
          state: at.snapshot.value as unknown,
          context: at.snapshot.context as unknown,
          output: at.snapshot.output as unknown,
          effects,
          children: at.children.map(({ name, input }) => [name, input]),
        }
      : { error: formatErrorMessage(crash.error) },
  )
}

function difference(one: string, other: string): string {
  return differing('', JSON.parse(one), JSON.parse(other)) ?? 'the state'
}

function differing(path: string, one: unknown, other: unknown): string | null {
  if (Object.is(one, other)) return null
  if (!isRecord(one) || !isRecord(other) || Array.isArray(one) !== Array.isArray(other)) return path
  if (Array.isArray(one) && one.length !== (other as unknown as readonly unknown[]).length)
    return path
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = differing(path === '' ? name : `${path}.${name}`, one[name], other[name])
    if (found !== null) return found
  }
  return null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
