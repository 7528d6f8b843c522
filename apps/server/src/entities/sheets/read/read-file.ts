import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { FileProblem, type RawHead, type RawRow, type ReadLimits } from './model.ts'
import type { FromReader, ReaderRequest, ReaderStart } from './reader-worker.ts'
import type { SheetSurvey, SurveyedSheet } from './survey.ts'

/**
 * docs/rules/security.md#files. The time excludes waiting for the consumer, such as the database.
 */
const heapMb = 256
const readTimeoutMs = 60_000

export interface FileReading {
  readonly head: RawHead
  /**
   * Chunks of non-blank rows of these sheets, in sheet order; by default of the first. Read them
   * once, to the end or to `return()`.
   */
  readonly rows: (sheets?: readonly number[]) => AsyncGenerator<readonly RawRow[]>
  /** Reads these sheets to their ends, before their rows are asked for. */
  readonly survey: (sheets: readonly SurveyedSheet[]) => Promise<readonly SheetSurvey[]>
  /** Ends a reading of which no row is wanted. */
  readonly close: () => Promise<void>
}

/** Reads an uploaded file in a worker thread. @throws FileProblem, also while rows are read */
export async function readFile(
  path: string,
  format: ReaderStart['format'],
  limits: ReadLimits,
  encoding: ReaderStart['encoding'] = null,
): Promise<FileReading> {
  const start: ReaderStart = { path, format, limits, encoding }
  const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), {
    workerData: start,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    stdout: false,
    stderr: false,
  })
  const left = { ms: readTimeoutMs }
  try {
    const message = await nextFrom(worker, left)
    if (message.kind === 'problem') throw new FileProblem(message.text)
    if (message.kind !== 'head') throw new Error('the reader thread did not send the head first')
    return {
      head: message.head,
      survey: async (sheets) => {
        const request: ReaderRequest = { survey: sheets }
        worker.postMessage(request)
        const answer = await nextFrom(worker, left)
        if (answer.kind === 'problem') throw new FileProblem(answer.text)
        return answer.kind === 'survey' ? answer.survey : []
      },
      rows: (sheets = [0]) => readWorkerRows(worker, left, { sheets }, limits.rows),
      close: async () => {
        await worker.terminate()
      },
    }
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

async function nextFrom(worker: Worker, left: { ms: number }): Promise<FromReader> {
  const started = performance.now()
  const stop = AbortSignal.timeout(Math.max(1, Math.ceil(left.ms)))
  try {
    const [message] = (await once(worker, 'message', { signal: stop })) as [FromReader]
    left.ms -= performance.now() - started
    return message
  } catch (error) {
    // The thread ran out of memory, or this function out of time.
    if (
      stop.aborted ||
      (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    )
      throw new FileProblem({ key: 'transfer.file.tooComplex' })
    throw error
  }
}

async function* readWorkerRows(
  worker: Worker,
  left: { ms: number },
  request: { readonly sheets: readonly number[] },
  rows: number,
): AsyncGenerator<readonly RawRow[]> {
  let seen = 0
  try {
    for (;;) {
      const answer = nextFrom(worker, left)
      worker.postMessage(request)
      const message = await answer
      if (message.kind === 'problem') throw new FileProblem(message.text)
      if (message.kind !== 'rows') return
      seen += message.rows.length
      // The headings count as one row each.
      if (seen > rows + request.sheets.length)
        throw new FileProblem({ key: 'transfer.file.tooManyRows', params: { n: rows } })
      yield message.rows
    }
  } finally {
    await worker.terminate()
  }
}
