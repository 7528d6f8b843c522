// Runs PGlite in its own thread, so that queries do not block HTTP: PGlite answers in microtasks, which
// would starve the event loop of the main thread.
import { constants, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { type CancelFlags, clearCancel, shareMemory } from './cancel.ts'
import { DurableNodeFS, isCompleteDirectory, markComplete } from './durable-fs.ts'
import { exchangeMessages, extensions, resetSession } from './pglite-session.ts'
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts'

const { directory, startParams } = workerData as WorkerStart
function postFromWorker(message: FromWorker, transfer: ArrayBuffer[] = []) {
  return parentPort?.postMessage(message, transfer)
}

const supportedVersion = '18'

/** Refuses a finished database of another PostgreSQL major version without changing it. */
function prepareDirectory() {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  if (!isCompleteDirectory(directory)) return
  const version = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim()
  if (version !== supportedVersion)
    throw new Error(
      `The database in ${directory} was written by PostgreSQL ${version}, this program reads ` +
        `${supportedVersion}: export it with the program version that wrote it, then import it here.`,
    )
}

/** Checks at every start that a commit is synced, because an update of PGlite could disable durable-fs. */
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
  if (!existsSync(join(directory, 'PG_VERSION'))) await createDatabase()
  const fs = new DurableNodeFS(directory)
  fs.onAborted(() => postFromWorker({ kind: 'aborted' }))
  const shared = shareMemory()
  let cancel: CancelFlags | undefined
  fs.useModule(shared.memory, (exports) => {
    cancel = shared.flagsOf(exports)
  })
  const pg = await PGlite.create({
    fs,
    extensions,
    startParams: [...startParams],
    pgliteWasmModule: shared.module,
  })
  if (cancel === undefined) throw new Error('PGlite did not start its module.')
  await proveDurable(pg, fs)
  if (!isCompleteDirectory(directory)) {
    await pg.exec('checkpoint')
    markComplete(directory)
  }
  return { pg, cancel }
}

/**
 * The first start: shared memory is of no use to the program that creates the directory. Nothing is
 * synced yet; `markComplete` syncs the whole directory.
 */
async function createDatabase() {
  const pg = await PGlite.create({ fs: new NodeFS(directory) })
  await pg.close()
}

/**
 * Copies the files as they are after a crash: this thread is the only one that writes them, and a start replays the
 * log.
 */
function copyDirectory(target: string): { problem?: string } {
  try {
    cpSync(directory, target, { recursive: true, mode: constants.COPYFILE_FICLONE })
    return {}
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function serve(pg: PGlite, cancel: CancelFlags) {
  let current: number | undefined
  const answer = async (message: ToWorker) => {
    if (message.kind === 'stop') {
      await pg.exec('checkpoint')
      await pg.close()
      postFromWorker({ kind: 'stopped' })
    } else if (message.kind === 'copy') {
      postFromWorker({ kind: 'copied', ...copyDirectory(message.target) })
    } else if (message.kind === 'end') {
      if (message.session === current) {
        current = undefined
        await resetSession(pg)
      }
    } else {
      current = message.session
      const { session } = message
      clearCancel(cancel)
      const inTransaction = await exchangeMessages(pg, message.messages, (bytes) =>
        postFromWorker({ kind: 'bytes', session, bytes }, [bytes.buffer]),
      )
      postFromWorker({ kind: 'answered', session, inTransaction })
    }
  }
  // Handles one message at a time, although each is asynchronous.
  let queue = Promise.resolve()
  parentPort?.on('message', (message: ToWorker) => {
    queue = queue
      .then(() => answer(message))
      .catch((error: unknown) => postFromWorker({ kind: 'failed', sentence: String(error) }))
  })
}

start().then(
  ({ pg, cancel }) => {
    serve(pg, cancel)
    postFromWorker({ kind: 'ready', cancel })
  },
  (error: unknown) =>
    postFromWorker({
      kind: 'failed',
      sentence: error instanceof Error ? error.message : String(error),
    }),
)
