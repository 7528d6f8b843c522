// One run of a statement for all callers who ask the same at once, and its answer for 10 s, so that
// a slow statement behind a popular form runs once (docs/rules/security.md#i3).
import type { Services } from '../../model/context.ts'
import type { MemoryKind } from '../../platform/memory.ts'
import { sqlLimits } from './allowed.ts'

export type SqlRows = readonly Readonly<Record<string, unknown>>[]
interface Kept {
  readonly rows: Promise<SqlRows>
  /** Undefined while it runs. */
  until?: number
}

/** A page of choices is small. */
const answers: MemoryKind<Kept> = { name: 'custom SQL', limit: 200 }

/** @throws what `run` throws; a failure is not kept */
export async function sharedRows(
  { memory, now }: Pick<Services, 'memory' | 'now'>,
  question: readonly unknown[],
  run: () => Promise<SqlRows>,
): Promise<SqlRows> {
  const kept = memory.of(answers)
  const key = JSON.stringify(question)
  const found = kept.get(key)
  if (found !== undefined && (found.until === undefined || found.until > now().getTime()))
    return await found.rows
  const mine: Kept = { rows: run() }
  kept.set(key, mine)
  try {
    const rows = await mine.rows
    mine.until = now().getTime() + sqlLimits.keptMilliseconds
    return rows
  } catch (error) {
    if (kept.peek(key) === mine) kept.delete(key)
    throw error
  }
}
