// The thread PGlite lives in: a query there never holds up the HTTP thread (PGlite answers in microtasks, which starve everything else).
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { DurableNodeFS, isComplete, markComplete } from './durable-fs.ts'
import { converse, extensions, resetSession } from './pglite-session.ts'
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts'

const { directory, startParams } = workerData as WorkerStart
function tell(message: FromWorker, transfer: ArrayBuffer[] = []) {
  return parentPort?.postMessage(message, transfer)
}

const supportedVersion = '18'

/** A first start that was cut off is put aside and begun again; a finished database of another PostgreSQL major is left alone. */
function prepareDirectory() {
  if (!existsSync(directory)) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } else if (!isComplete(directory)) {
    const aside = `${directory}.unfinished`
    rmSync(aside, { recursive: true, force: true })
    renameSync(directory, aside)
    mkdirSync(directory, { mode: 0o700 })
  } else {
    const version = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim()
    if (version !== supportedVersion) {
      throw new Error(
        `The database in ${directory} was written by PostgreSQL ${version}, this program reads ${supportedVersion}: export it with the program version that wrote it, then import it here.`,
      )
    }
  }
}

/** Proves that a commit reaches the disk. An update of PGlite may silently undo what durable-fs does, so this runs at every start. */
async function proveDurable(pg: PGlite, fs: DurableNodeFS) {
  const { rows } = await pg.query<{ fsync: string }>('show fsync')
  if (rows[0]?.fsync !== 'on')
    throw new Error(
      'The embedded database runs with fsync off, so a power cut could destroy it; refusing to start.',
    )
  const before = fs.synced
  await pg.query(`select pg_logical_emit_message(true, 'jiaowu', 'durability test')`)
  if (fs.synced === before)
    throw new Error(
      'A test commit of the embedded database did not reach the disk; refusing to start.',
    )
}

async function start() {
  prepareDirectory()
  const fs = new DurableNodeFS(directory)
  fs.onAborted(() => tell({ kind: 'aborted' }))
  const pg = await PGlite.create({ fs, extensions, startParams: [...startParams] })
  await proveDurable(pg, fs)
  if (!isComplete(directory)) {
    await pg.exec('checkpoint')
    markComplete(directory)
  }
  return pg
}

function serve(pg: PGlite) {
  let current: number | undefined
  const answer = async (message: ToWorker) => {
    if (message.kind === 'stop') {
      await pg.exec('checkpoint')
      await pg.close()
      tell({ kind: 'stopped' })
    } else if (message.kind === 'end') {
      if (message.session === current) {
        current = undefined
        await resetSession(pg)
      }
    } else {
      current = message.session
      const { session } = message
      const inTransaction = await converse(pg, message.messages, (bytes) =>
        tell({ kind: 'bytes', session, bytes }, [bytes.buffer]),
      )
      tell({ kind: 'answered', session, inTransaction })
    }
  }
  // One message after the other, also across the awaits above.
  let queue = Promise.resolve()
  parentPort?.on('message', (message: ToWorker) => {
    queue = queue
      .then(() => answer(message))
      .catch((error: unknown) => tell({ kind: 'failed', sentence: String(error) }))
  })
}

start().then(
  (pg) => {
    serve(pg)
    tell({ kind: 'ready' })
  },
  (error: unknown) =>
    tell({ kind: 'failed', sentence: error instanceof Error ? error.message : String(error) }),
)
