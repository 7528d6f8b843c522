// Cells corrected during the review. They are kept beside the job: the uploaded file stays as it is.
import { parseJson } from '@jiaowu/api/exact-json'
import type { WireValue } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import type { LoadedField } from '../../../model/definition/loaded.ts'
import type { JobKey } from '../../jobs/job.ts'
import type { AnyDatabase } from '../../../platform/database/any-database.ts'
import type { RawCell, RawRow } from '../../sheets/read/model.ts'

/** A value of a field that is encrypted at rest is encrypted here, too. */
type Stored = { readonly value: WireValue } | { readonly sealed: string }
/** By ledger number and attrName. */
export type Corrections = ReadonlyMap<number, ReadonlyMap<string, Stored>>

export interface Correction {
  readonly rowNo: number
  readonly field: LoadedField
  readonly value: WireValue
}

interface CorrectedColumn {
  readonly index: number
  readonly field: LoadedField | null
}

export async function readCorrections(db: AnyDatabase, job: JobKey): Promise<Corrections> {
  const { rows } = await sql<{ row_no: number; attr_name: string; value: Stored }>`
    select row_no, attr_name, value from sys.job_cell
    where tenant_id = ${job.tenant_id}::int8 and job_id = ${job.id}::int8`.execute(db)
  const found = new Map<number, Map<string, Stored>>()
  for (const { row_no, attr_name, value } of rows) {
    const cells = found.get(row_no) ?? new Map<string, Stored>()
    found.set(row_no, cells.set(attr_name, value))
  }
  return found
}

export async function saveCorrections(
  db: AnyDatabase,
  job: JobKey,
  corrections: readonly Correction[],
): Promise<void> {
  const rows = corrections.map(({ rowNo, field, value }) => ({
    row_no: rowNo,
    attr_name: field.definition.attrName,
    value: sealCorrection(field, value),
  }))
  await sql`
    insert into sys.job_cell (tenant_id, job_id, row_no, attr_name, value)
    select ${job.tenant_id}::int8, ${job.id}::int8, row_no, attr_name, value
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as u(row_no int4, attr_name text, value jsonb)
    on conflict (tenant_id, job_id, row_no, attr_name) do update set value = excluded.value`.execute(
    db,
  )
}

function sealCorrection({ sealer }: LoadedField, value: WireValue): Stored {
  return sealer === null ? { value } : { sealed: sealer.seal(JSON.stringify(value)) }
}

function openCorrection({ sealer }: LoadedField, cell: Stored): WireValue {
  if ('value' in cell) return cell.value
  return sealer === null ? null : (parseJson(String(sealer.open(cell.sealed))) as WireValue)
}

export const correctedRows = async function* (
  chunks: AsyncGenerator<readonly RawRow[]>,
  corrections: Corrections,
  columns: readonly CorrectedColumn[],
): AsyncGenerator<readonly RawRow[]> {
  for await (const chunk of chunks)
    yield corrections.size === 0
      ? chunk
      : chunk.map((row) => correctedRow(row, corrections.get(row.row), columns))
}

export function correctedRow(
  row: RawRow,
  corrected: ReadonlyMap<string, Stored> | undefined,
  columns: readonly CorrectedColumn[],
): RawRow {
  if (corrected === undefined) return row
  const cells = [...row.cells]
  for (const { index, field } of columns) {
    const cell = field === null ? undefined : corrected.get(field.definition.attrName)
    if (field === null || cell === undefined) continue
    while (cells.length < index) cells.push(null)
    cells[index] = toCorrectedCell(openCorrection(field, cell))
  }
  return { ...row, cells }
}

/** A text is read as one of the sheet; what a control gives is in wire form already. */
function toCorrectedCell(value: WireValue): RawCell {
  return typeof value === 'string' || value === null ? value : { wire: value }
}
