// The worker thread that reads a file: a hostile file can exhaust only this thread's memory and
// time (docs/rules/security.md#files).
import { parentPort, workerData } from 'node:worker_threads'
import type { TextEncoding } from '@jiaowu/api/contract/job'
import type { SheetFormat } from '../format.ts'
import { FileProblem, type RawHead, type RawRow, type ReadLimits } from './model.ts'
import { sheetReaders } from './readers.ts'
import { type SheetSurvey, type SurveyedSheet, surveySheet } from './survey.ts'

export interface ReaderStart {
  readonly path: string
  readonly format: SheetFormat
  readonly limits: ReadLimits
  /** The encoding of a text file, as a user chose it; null: found. */
  readonly encoding: TextEncoding | null
}
export type FromReader =
  | { readonly kind: 'head'; readonly head: RawHead }
  | { readonly kind: 'survey'; readonly survey: readonly SheetSurvey[] }
  | { readonly kind: 'rows'; readonly rows: readonly RawRow[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'problem'; readonly text: FileProblem['text'] }

/** First surveys, then the rows of sheets, each by its index in the head. */
export type ReaderRequest =
  | { readonly survey: readonly SurveyedSheet[] }
  | { readonly sheets: readonly number[] }

const { path, format, limits, encoding } = workerData as ReaderStart
const port = parentPort
const sendToReader = (message: FromReader) => port?.postMessage(message)

run()
  .catch((error: unknown) =>
    sendToReader({
      kind: 'problem',
      text: error instanceof FileProblem ? error.text : { key: 'transfer.file.broken' },
    }),
  )
  .finally(() => port?.close())

/**
 * Waits for the consumer's request: one per chunk, so that a slow database slows the reading. The
 * first names the sheets to read.
 */
function nextRequest() {
  return new Promise<ReaderRequest>((resolve) => {
    port?.once('message', (message: ReaderRequest) => resolve(message))
  })
}

async function run() {
  const { head, rows, close } = await sheetReaders[format](path, limits, encoding)
  try {
    sendToReader({ kind: 'head', head })
    let request = await nextRequest()
    while ('survey' in request) {
      const survey: SheetSurvey[] = []
      for (const sheet of request.survey)
        survey.push(await surveySheet(sheet, rows([sheet.index]), limits.rows))
      sendToReader({ kind: 'survey', survey })
      request = await nextRequest()
    }
    const { sheets } = request
    for await (const chunk of rows(sheets)) {
      sendToReader({ kind: 'rows', rows: chunk })
      await nextRequest()
    }
    sendToReader({ kind: 'end' })
  } finally {
    close()
  }
}
