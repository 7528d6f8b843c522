import type { FileFacts } from '@jiaowu/machines/transfer/ports'
import type { TransferInput } from '@jiaowu/machines/transfer/context'
import type { AnyMachineSnapshot } from 'xstate'
import { createFileRegistry, transferPorts } from '../../../apps/web/src/ports/transfer-ports.ts'
import { fileSink } from '../../surfaces/server/file-sink.ts'
import type { RowSet } from '../../surfaces/server/rows/rows.ts'
import { type ServerParts, buildServerParts } from '../../surfaces/server/server-part.ts'
import { transferModels } from './model.ts'
import { buildTransferCalls, type Desk } from './server-calls.ts'
import { type Sheets, sheetsFor } from './server-sheets.ts'

/**
 * An import as a job from the upload to the last row, a sheet with a wrong row, a cancelled job, an
 * export.
 */
export const serverTransfer: ServerParts = async ({ run, registrar, listed }) => {
  const subject = await registrar(),
    rows = await listed(),
    sheets = await sheetsFor(run, rows)
  const elsewhere = (await run.helper('registrar')).api
  const shelf = createFileRegistry(),
    sink = fileSink()
  const desk: Desk = { elsewhere, rows, sheets, shelf, sink, jobId: '' }
  const ignored = { onSent: () => {}, onReceived: () => {} }
  run.onClose(`imported rows of ${rows.tag}`, sheets.clear)
  run.onClose('what was remembered of imports', () =>
    elsewhere.job.forget({ params: { tag: rows.tag } }),
  )
  return buildServerParts({
    model: transferModels,
    ports: transferPorts({ api: subject.api, saveFile: sink.save }, shelf, ignored),
    subject,
    calls: buildTransferCalls(desk),
    samples: buildTransferSamples(rows, sheets),
    before: async () => {
      desk.jobId = ''
      shelf.add(await sheets.make('rows'))
    },
    after: async () => {
      if (desk.jobId !== '')
        await elsewhere.job.cancel({ params: { id: desk.jobId } }).catch(() => {})
      await sheets.clear()
    },
    key: (s) => buildServerJobKey(rows, s),
    start: start({ tag: rows.tag, kind: 'import', modes: ['insert'], file }),
    parts: {
      sending: {
        events: 'file.choose, upload.start, job.cancel',
        ends: 'upload(forbidden, ended)',
      },
      writing: {
        events: 'job.run, result.save, transfer.restart',
        ends: 'upload(checking)',
      },
      reviewing: {
        events: 'rows.show(fresh, wrong), job.cancel, job.run',
        ends: 'upload(checking, checkingWrong), resumeJob(refused)',
      },
      // A sheet whose wrong row is skipped, and one that is only checked and then written.
      choosing: {
        events: 'job.run',
        ends: 'upload(checkingSkipping, checkingLooked, checkingKnown), resumeJob(writing)',
      },
      mapping: {
        events: 'column.assign, job.check',
        eventsIn: ({ context: { job, mapping } }) =>
          job?.phase === 'mapping' && namesRows(rows, mapping)
            ? { 'job.check': { default: {} } }
            : {},
        ends: 'upload(checkingUnmapped)',
      },
      opening: {
        start: start({ tag: rows.tag, kind: 'import', job: 'none' }),
        events: 'transfer.retry, template.save',
      },
      exporting: {
        start: start({
          tag: rows.tag,
          kind: 'export',
          sheet: {
            query: { sorts: [], queries: { [rows.name]: rows.stem } },
            format: 'csv',
            columns: null,
          },
        }),
        events: 'export.start, export.cancel, transfer.retry, transfer.restart',
      },
    },
  })
}

const file: FileFacts = { key: 'rows.csv', name: 'rows.csv', size: 1000 }

function start(input: TransferInput) {
  return () => input
}

function buildTransferSamples({ name }: RowSet, { fields }: Sheets) {
  const column = fields.findIndex(({ attrName }) => attrName === name) + 1
  return {
    'file.choose': { sheet: { file } },
    'job.check': {}, // only where the mapping names the rows
    'result.save': { all: { format: 'csv', only: 'all' } },
    'column.assign': { name: { assignment: { column, attrName: name, empty: 'keep' } } },
  }
}

function buildServerJobKey(
  rows: RowSet,
  { value, context: c }: AnyMachineSnapshot,
): readonly unknown[] {
  const { job } = c,
    isPaused = job?.status === 'paused'
  return [
    value,
    job?.fileName ?? null,
    c.file !== null,
    c.id !== null,
    job?.status === 'queued' ? 'running' : (job?.status ?? null),
    isPaused ? [job.review.wrong > 0, job.phase, namesRows(rows, c.mapping)] : null,
    isPaused && job.phase === 'review' ? c.verdict : null,
    c.problem?.kind ?? null,
    c.saving?.what ?? null,
    c.received.bytes > 0,
  ]
}

function namesRows(
  rows: RowSet,
  mapping: readonly { readonly attrName: string | null }[],
): boolean {
  return mapping.some(({ attrName }) => attrName === rows.name)
}
