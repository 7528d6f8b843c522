// Exports every adopted table that has rows and imports the file as an update: all rows are the same,
// and the table is left as it was.
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import { limits } from '@jiaowu/api/limits'
import { importFile } from '../support/imports.ts'
import { formatApiError, countTableRows, type Trial } from './crud.ts'
import type pg from 'pg'

const formats: readonly ExportFormat[] = ['csv', 'xlsx', 'ndjson']
/** Larger tables take minutes and are of the same kind. */
const mostRows = 3_000

/** Sets `trial.returns`; null for tables without rows, without a right to change, or with too many. */
export async function exportsReturn(pool: pg.Pool, trial: Trial): Promise<void> {
  const { known, tag, table } = trial
  if (known === null || trial.readOnly) return
  const { api, config } = known
  const { total } = await api.entityData.count({
    params: { tag },
    body: { pageSize: 1, pageNum: 1, sorts: [], queries: {} },
  })
  const columns = config.fields.filter(({ isExport }) => isExport === 1).length
  if (total === 0 || total > mostRows || columns > limits.importColumns) return
  trial.returns = true
  const before = await countTableRows(pool, table)
  for (const format of formats) {
    const found = await comesBack(trial, format).catch((error: unknown) => formatApiError(error))
    if (found !== `done, ${total} the same, 0 changed`) {
      trial.returns = false
      trial.faults.push(`export as ${format} of ${total} rows: ${found}`)
    }
  }
  const after = await countTableRows(pool, table)
  if (before.size !== after.size || [...before].some(([row, n]) => after.get(row) !== n)) {
    trial.returns = false
    trial.faults.push('export: taking it back changed the table')
  }
}

async function comesBack({ known, tag }: Trial, format: ExportFormat): Promise<string> {
  if (known === null) return 'not known'
  const { stream } = await known.api.entityData.export({
    params: { tag },
    body: { pageSize: -1, pageNum: -1, queries: {}, sorts: [], format },
  })
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  const job = await importFile(known.api, tag, new File([bytes], `${tag}.${format}`), {
    mode: 'update',
    confirm: true,
  })
  const errors = job.errors.slice(0, 2).map(({ attrName, msg }) => `${attrName ?? ''} ${msg}`)
  return [
    `${job.status}, ${job.skipped} the same, ${job.updated} changed`,
    ...(job.status === 'done' ? [] : [job.message ?? '']),
    ...errors,
  ].join('; ')
}
