// Asserts how many rows a write by key has changed (docs/rules/database.md#writes-by-key). Call it in
// the transaction of the write: the refusal rolls everything back.
import { Refusal } from '../../refusal.ts'

/** The result of kysely's builders and its `sql` tag for an update or a delete. */
export interface WriteResult {
  readonly numUpdatedRows?: bigint
  readonly numDeletedRows?: bigint
  readonly numAffectedRows?: bigint | undefined
}

/** A write by key that changed none or several rows. `name`: what users call the written thing. */
class WrongRowCount extends Refusal {
  constructor(name: string, expected: number, changed: number) {
    super(409, { key: 'problem.rowCount', params: { name, expected, changed } })
  }
}

/** @throws WrongRowCount unless the statement changed exactly one row */
export function exactlyOne(result: WriteResult, name: string): void {
  exactly(result, 1, name)
}

/** @throws WrongRowCount unless the statement changed exactly `expected` rows */
export function exactly(result: WriteResult, expected: number, name: string): void {
  const changed = Number(
    result.numUpdatedRows ?? result.numDeletedRows ?? result.numAffectedRows ?? 0,
  )
  if (changed !== expected) throw new WrongRowCount(name, expected, changed)
}
