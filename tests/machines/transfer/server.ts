import type { Job } from '@jiaowu/api'
import type { FileFacts, TransferInput } from '@jiaowu/machines'
import { createFileRegistry, transferPorts } from '../../../apps/web/src/ports/transfer-ports.ts'
import type { Outcome } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import { transferModels } from './model.ts'
import { jobs as sampleJobs } from './samples.ts'
import { fileSink } from '../../surfaces/server/file-sink.ts'
import type { RowSet } from '../../surfaces/server/rows/rows.ts'
import { no, ok, type Stage } from '../../surfaces/server/server-driver.ts'
import type { ServerPart, ServerParts } from '../../surfaces/server/server-part.ts'
import { scenesOf } from './server-scenes.ts'
import { lastLacksName, many, type Sheets, sheetsFor, type Sort } from './server-sheets.ts'

/**
 * An import as a job from the upload to the last row, a sheet with a wrong row, a cancelled job, an
 * export.
 */
export const serverTransfer: ServerParts = async ({ run, registrar, listed }) => {
  const subject = await registrar(),
    rows = await listed(),
    sheets = await sheetsFor(run, rows),
    sink = fileSink()
  const { api } = subject
  run.onClose(`imported rows of ${rows.tag}`, sheets.clear)
  run.onClose('what was remembered of imports', async () => {
    await (await run.helper('registrar')).api.job.forget({ params: { tag: rows.tag } })
  })
  const shelf = createFileRegistry(),
    ports = transferPorts({ api, saveFile: sink.save }, shelf, {
      onSent: () => {},
      onReceived: () => {},
    })
  const facts: FileFacts = { key: 'rows.csv', name: 'rows.csv', size: 1000 }
  const current = { id: '' }
  const scenes = scenesOf({ run, subject, rows, sheets, shelf, sink, current })
  const samples = samplesOf(rows, sheets)
  const base = Object.values(transferModels.parts)[0] as Spec<unknown>
  const part = (
    input: TransferInput,
    events: Readonly<Record<string, object>>,
    fewer: Readonly<Record<string, readonly string[]>> = {},
    eventsIn: Spec<unknown>['eventsIn'] = () => ({}),
  ) => {
    const spec: Spec<unknown> = {
      ...base,
      unhandled: [],
      eventsIn,
      input: () => input,
      events: events as Spec<unknown>['events'],
      outcomes: pickedOutcomes(samples, fewer),
      key: (s) => keyOf(rows, s),
    }
    const stage = async (): Promise<Stage> => {
      current.id = ''
      shelf.add(await sheets.make('rows'))
      return {
        ports: ports as never,
        scenes,
        end: async () => {
          if (current.id !== '')
            await (
              await run.helper('registrar')
            ).api.job
              .cancel({ params: { id: current.id } })
              .catch(() => {})
          await sheets.clear()
        },
      }
    }
    return { spec, scenes, stage }
  }
  return { ...importParts(rows, sheets, facts, part), ...otherParts(rows, part) }
}

type Samples = Readonly<Record<string, (input: never) => Readonly<Record<string, Outcome>>>>

function samplesOf(rows: RowSet, sheets: Sheets): Samples {
  const at = jobAt(rows, sheets)
  const { checking, writing } = sampleJobs
  return {
    recall: () => ({ few: ok({ jobs: [], total: 0, remembered: null }) }),
    upload: () => ({
      checking: at('rows', checking),
      checkingWrong: at('wrong', checking),
      checkingSkipping: at('skipped', checking),
      checkingLooked: at('looked', checking),
      checkingUnmapped: at('unmapped', checking),
      ...(sheets.tellsApart ? { checkingKnown: at('known', checking) } : {}),
      forbidden: no('refused', 403),
      ended: no('session', 401),
    }),
    // The outcomes of reading a job follow from its kind, which the samples' ids name.
    readJob: ({ id }: { id: string }): Readonly<Record<string, Outcome>> => {
      const ends: Readonly<Record<string, Readonly<Record<string, Outcome>>>> = {
        rows: { good: at(id, sampleJobs.good) },
        mapped: { good: at(id, sampleJobs.good, 'unmapped.csv') },
        wrong: { wrong: at(id, sampleJobs.wrong) },
        skipped: { skipping: at(id, sampleJobs.skipping) },
        looked: { looked: at(id, sampleJobs.looked) },
        unmapped: { unmapped: at(id, sampleJobs.unmapped) },
        known: { nothingNew: at(id, sampleJobs.nothingNew) },
        raced: { failed: at(id, sampleJobs.failed, 'rows.csv') },
        none: { gone: no('refused', 404), ended: no('session', 401) },
      }
      return ends[id] ?? { done: at(id, sampleJobs.done, id.replace('+', '.csv')) }
    },
    resumeJob: ({ id }: { id: string }): Readonly<Record<string, Outcome>> =>
      id === 'unmapped'
        ? { checking: at('mapped', checking), refused: no('refused', 404) }
        : {
            writing: at(`${id}+`, writing, `${id}.csv`),
            ...(sheets.tellsApart && id === 'rows' ? { raced: at('raced', writing) } : {}),
            refused: no('refused', 404),
          },
    cancelJob: () => ({ cancelled: ok(sampleJobs.cancelled), refused: no('refused', 404) }),
    loadRows: () => ({ many: ok({ records: [], total: 33 }) }),
    saveFile: () => ({ saved: ok(undefined), refused: no('session', 401) }),
    exportSheet: () => ({ saved: ok({ bytes: 99, rows: 12 }), refused: no('refused', 403) }),
  }
}

/** The sample of a job under the id that determines how it continues. */
function jobAt(rows: RowSet, sheets: Sheets) {
  const columnsOf = (id: string) =>
    sheets.fields.map(({ attrName }, index) => ({
      column: index + 1,
      letter: 'A',
      header: attrName,
      attrName: id === 'unmapped' && attrName === rows.name ? null : attrName,
      by: null,
      empty: 'keep',
      samples: [],
    }))
  return (id: string, job: Job, fileName = `${id}.csv`): Outcome => {
    const wrong = lastLacksName(id as Sort) ? 1 : 0
    return ok({
      ...job,
      id,
      fileName,
      review:
        id === 'known'
          ? { fresh: 0, changed: 0, same: rows.aliases.length, wrong }
          : { fresh: many - wrong, changed: 0, same: 0, wrong },
      sheet: { ...sampleJobs.good.sheet, columns: columnsOf(id) },
    })
  }
}

type Mapping = readonly { readonly attrName: string | null }[]

function namesRows(rows: RowSet, mapping: Mapping): boolean {
  return mapping.some(({ attrName }) => attrName === rows.name)
}

function keyOf(rows: RowSet, s: Parameters<Spec<unknown>['key']>[0]): string {
  const c = s.context
  return JSON.stringify([
    s.value,
    c.job?.fileName ?? null,
    c.file !== null,
    c.id !== null,
    c.job?.status === 'queued' ? 'running' : (c.job?.status ?? null),
    c.job?.status === 'paused'
      ? [c.job.review.wrong > 0, c.job.phase, namesRows(rows, c.mapping)]
      : null,
    c.job?.status === 'paused' && c.job.phase === 'review' ? c.verdict : null,
    c.problem?.kind ?? null,
    c.saving?.what ?? null,
    c.received.bytes > 0,
  ])
}

/** Ports that `fewer` does not name keep all their outcomes. */
function pickedOutcomes(samples: Samples, fewer: Fewer): Spec<unknown>['outcomes'] {
  return Object.fromEntries(
    Object.entries(samples).map(([port, of]) => [
      port,
      (asked: never) =>
        Object.fromEntries(
          Object.entries(of(asked)).filter(([name]) => fewer[port]?.includes(name) ?? true),
        ),
    ]),
  )
}

type Fewer = Readonly<Record<string, readonly string[]>>

type MakePart = (
  input: TransferInput,
  events: Readonly<Record<string, object>>,
  fewer?: Fewer,
  eventsIn?: Spec<unknown>['eventsIn'],
) => ServerPart
const bare = { bare: {} }

function importParts(rows: RowSet, sheets: Sheets, file: FileFacts, part: MakePart) {
  const importing: TransferInput = { tag: rows.tag, kind: 'import', modes: ['insert'], file }
  return {
    sending: part(
      importing,
      { 'file.choose': { sheet: { file } }, 'upload.start': bare, 'job.cancel': bare },
      { upload: ['forbidden', 'ended'] },
    ),
    writing: part(
      importing,
      {
        'job.run': bare,
        'result.save': { all: { format: 'csv', only: 'all' } },
        'transfer.restart': bare,
      },
      { upload: ['checking'] },
    ),
    reviewing: part(
      importing,
      {
        'rows.show': { fresh: { verdict: 'fresh' }, wrong: { verdict: 'wrong' } },
        'job.cancel': bare,
        'job.run': bare,
      },
      { upload: ['checking', 'checkingWrong'], resumeJob: ['refused'] },
    ),
    // A sheet whose wrong row is skipped, and one that is only checked and then written.
    choosing: part(
      importing,
      { 'job.run': bare },
      { upload: ['checkingSkipping', 'checkingLooked', 'checkingKnown'], resumeJob: ['writing'] },
    ),
    mapping: part(
      importing,
      {
        'column.assign': {
          name: {
            assignment: {
              column: sheets.fields.findIndex(({ attrName }) => attrName === rows.name) + 1,
              attrName: rows.name,
              empty: 'keep',
            },
          },
        },
        'job.check': {},
      },
      { upload: ['checkingUnmapped'] },
      ({ context: { job, mapping } }) =>
        (job?.phase === 'mapping' && namesRows(rows, mapping)
          ? { 'job.check': bare }
          : {}) as never,
    ),
  }
}

function otherParts(rows: RowSet, part: MakePart) {
  return {
    opening: part(
      { tag: rows.tag, kind: 'import', job: 'none' },
      { 'transfer.retry': bare, 'template.save': bare },
    ),
    exporting: part(
      {
        tag: rows.tag,
        kind: 'export',
        sheet: {
          query: { sorts: [], queries: { [rows.name]: rows.stem } },
          format: 'csv',
          columns: null,
        },
      },
      {
        'export.start': bare,
        'export.cancel': bare,
        'transfer.retry': bare,
        'transfer.restart': bare,
      },
    ),
  }
}
