import { Refusal } from '../../../platform/refusal.ts'
import { lockedRows } from '../../entry/locks.ts'
import type { Batch } from '../writer.ts'

/** Rows of a submitted entry sheet take no write (docs/rules/contract.md#entry-sheets). */
export async function assertUnlockedRows({ trx, writer, rows, refuse }: Batch): Promise<void> {
  const locked = await lockedRows(trx, writer.context, writer.entity, rows)
  for (const [i, row] of rows.entries())
    if (locked[i] === true)
      refuse(row, { rule: 'locked' }, () => new Refusal(409, { key: 'entry.locked' }))
}
