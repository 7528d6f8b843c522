import type { Move } from '../model/model-state.ts'
import { messageOf } from './findings.ts'
import { stableText } from '../model/text.ts'

/** The first part in which two runs of one step differ, such as `context.apple`; null when none does. */
export function instability(one: Move, other: Move): string | null {
  if (one.crash !== null || other.crash !== null)
    return (one.crash === null) === (other.crash === null) &&
      messageOf(one.crash?.error) === messageOf(other.crash?.error)
      ? null
      : 'whether the machine throws'
  const parts = (move: Move) => ({
    state: move.at.snapshot.value,
    context: move.at.snapshot.context as unknown,
    output: move.at.snapshot.output,
    effects: move.effects,
    children: move.at.children.map(({ name, input }) => [name, input]),
  })
  const a = parts(one),
    b = parts(other)
  if (stableText(a) === stableText(b)) return null
  return differing('', JSON.parse(stableText(a)), JSON.parse(stableText(b))) ?? 'the state'
}

function differing(path: string, one: unknown, other: unknown): string | null {
  if (Object.is(one, other)) return null
  if (!isRecord(one) || !isRecord(other)) return path
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = differing(path === '' ? name : `${path}.${name}`, one[name], other[name])
    if (found !== null) return found
  }
  return null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
