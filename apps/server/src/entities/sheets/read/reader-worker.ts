// The thread a file is read in: what a hostile file can use up is this thread's memory and time, nobody else's (docs/rules/security.md#files).
import { parentPort, workerData } from 'node:worker_threads'
import { readCsv } from './csv-rows.ts'
import { FileProblem, type RawHead, type RawRow, type ReadLimits } from './model.ts'
import { readNdjson } from './ndjson-rows.ts'
import { readXlsx } from './xlsx-rows.ts'
import { openArchive } from './zip.ts'

export interface ReaderStart {
  readonly path: string
  readonly format: 'xlsx' | 'csv' | 'ndjson'
  readonly limits: ReadLimits
}
export type FromReader =
  | { readonly kind: 'head'; readonly head: RawHead }
  | { readonly kind: 'rows'; readonly rows: readonly RawRow[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'problem'; readonly say: FileProblem['say'] }

const { path, format, limits } = workerData as ReaderStart
const port = parentPort
const send = (message: FromReader) => port?.postMessage(message)

run()
  .catch((error: unknown) =>
    send({
      kind: 'problem',
      say: error instanceof FileProblem ? error.say : { key: 'transfer.file.broken' },
    }),
  )
  .finally(() => port?.close())

/** Rows go out one chunk an asking, so that a slow database holds up the reading. */
function nextRequest() {
  return new Promise<void>((resolve) => {
    port?.once('message', () => resolve())
  })
}

async function run() {
  const archive = format === 'xlsx' ? await openArchive(path, limits) : null
  try {
    const { head, rows } =
      archive === null
        ? format === 'csv'
          ? readCsv(path, limits)
          : readNdjson(path, limits)
        : await readXlsx(archive, limits)
    send({ kind: 'head', head })
    await nextRequest()
    for await (const chunk of rows) {
      send({ kind: 'rows', rows: chunk })
      await nextRequest()
    }
    send({ kind: 'end' })
  } finally {
    archive?.close()
  }
}
