// One run of a statement for all callers who ask the same at once, and its answer for 10 s, so that
// a slow statement behind a popular form runs once (docs/rules/security.md#i3).
import type { Services } from '../../model/context.ts'
import { sqlLimits } from './allowed.ts'

export type SqlRows = readonly Readonly<Record<string, unknown>>[]
interface Kept {
  readonly rows: Promise<SqlRows>
  /** Undefined while it runs. */
  until?: number
}

/** Answers kept at most; a page of choices is small. */
const maxKept = 200
const keptBy = new WeakMap<Services['registry'], Map<string, Kept>>()

/** @throws what `run` throws; a failure is not kept */
export async function sharedRows(
  { registry, now }: Pick<Services, 'registry' | 'now'>,
  question: readonly unknown[],
  run: () => Promise<SqlRows>,
): Promise<SqlRows> {
  const kept = keptBy.get(registry) ?? new Map<string, Kept>()
  keptBy.set(registry, kept)
  const key = JSON.stringify(question)
  const found = kept.get(key)
  if (found !== undefined && (found.until === undefined || found.until > now().getTime()))
    return await found.rows
  const mine: Kept = { rows: run() }
  kept.delete(key)
  kept.set(key, mine)
  for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - maxKept))) kept.delete(old)
  try {
    const rows = await mine.rows
    mine.until = now().getTime() + sqlLimits.keptMilliseconds
    return rows
  } catch (error) {
    if (kept.get(key) === mine) kept.delete(key)
    throw error
  }
}
