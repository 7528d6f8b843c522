import { findBin } from '../../../model/definition/kept.ts'
import { Invalid } from '../../../platform/refusal.ts'
import { deleteCustomValues, saveCustomValues } from '../values/custom.ts'
import { withFollowed } from '../values/derive.ts'
import { type Batch, readRowKey, readRowKeys, toStoredRow } from '../writer.ts'

/** Adds what follows from formulas, and leaves out rows that nothing changes. Jobs did it when they checked. */
export async function deriveValues({ trx, writer, rows, skip }: Batch): Promise<void> {
  const derived = (await writer.derive?.(trx, rows.map(toStoredRow))) ?? []
  for (const [i, { changes, faults }] of derived.entries()) {
    const row = rows[i]
    if (faults.length > 0) throw new Invalid(faults)
    if (row !== undefined && changes.length > 0) row.changes = withFollowed(row.changes, changes)
  }
  for (const row of rows) if (row.kind !== 'create' && row.changes.length === 0) skip(row)
}

export async function checkChoices(batch: Batch): Promise<void> {
  await batch.writer.choices?.(batch)
}

export async function saveCustom({ trx, writer, rows }: Batch): Promise<void> {
  const { entity } = writer
  const { tenant } = writer.context.subject
  const gone = rows.filter(
    ({ kind }) => kind === 'purge' || (kind === 'delete' && findBin(entity) === null),
  )
  if (gone.length > 0) await deleteCustomValues(trx, entity, tenant, readRowKeys(gone))
  for (const row of rows)
    if (row.kind !== 'delete' && row.kind !== 'purge')
      await saveCustomValues(trx, entity, tenant, readRowKey(row), row.changes)
}
