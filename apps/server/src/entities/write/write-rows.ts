// The one way to write rows of entities: forms, grids, imports, bulk changes, trees, the recycle bin and
// account calls (docs/decisions/0022-one-write-path.md). What else a write does is in effects.ts.
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import { writeEffects } from './effects.ts'
import { insertRows } from './statements/insert-rows.ts'
import { eraseRows, removeRows, restoreRows } from './statements/remove-rows.ts'
import { updateRows } from './statements/update-rows.ts'
import {
  type Batch,
  type RowWrite,
  type RowWriter,
  type WriteEffect,
  type WriteFault,
  type WriteKind,
  writeKinds,
  WrittenWrong,
} from './writer.ts'

type Statement = (trx: AnyDatabase, writer: RowWriter, rows: readonly RowWrite[]) => Promise<void>

const statements: Readonly<Record<WriteKind, Statement>> = {
  create: insertRows,
  update: updateRows,
  move: updateRows,
  delete: removeRows,
  restore: restoreRows,
  purge: eraseRows,
}

interface Written {
  readonly rows: readonly RowWrite[]
  /** Rows that were left out. */
  readonly faults: readonly WriteFault[]
}

/**
 * Writes the rows, of one kind or several, with every effect that concerns them.
 * @param trx of an open `transact`
 * @throws Refusal; WrittenWrong, and what the database refuses: then nothing of the call may be committed
 */
export async function writeRows(
  trx: AnyDatabase,
  writer: RowWriter,
  rows: readonly RowWrite[],
): Promise<Written> {
  const faults: WriteFault[] = []
  const left = new Set<RowWrite>()
  const refuse: Batch['refuse'] = (row, { rule, attrName = null, message }, refusal) => {
    if (!writer.isJob) throw refusal()
    faults.push({ row, rule, attrName, ...(message !== undefined && { message }) })
    left.add(row)
  }
  const skip: Batch['skip'] = (row) => left.add(row)
  const run = async (step: WriteEffect['before']) => {
    if (step === undefined) return undefined
    const { kinds } = step
    const concerned = rows.filter((row) => kinds.includes(row.kind) && !left.has(row))
    return concerned.length === 0
      ? undefined
      : await step.run({ trx, writer, rows: concerned, refuse, skip })
  }
  const later = new Map<WriteEffect, () => Promise<void>>()
  for (const effect of effects()) {
    const check = await run(effect.before)
    if (check !== undefined) later.set(effect, check)
  }
  const written = rows.filter((row) => !left.has(row))
  for (const kind of writeKinds) {
    const some = written.filter((row) => row.kind === kind)
    if (some.length > 0) await statements[kind](trx, writer, some)
  }
  const known = faults.length
  for (const effect of effects()) {
    await later.get(effect)?.()
    await run(effect.after)
    if (faults.length > known) throw new WrittenWrong(faults.slice(known))
  }
  return { rows: written, faults }
}

function effects(): readonly WriteEffect[] {
  return writeEffects
}
