// The data directory on the real disk. PGlite's own NodeFS has no fsync, so a power cut would lose or destroy
// acknowledged data; and its fdatasync is a stub, hence wal_sync_method=fsync below.
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** Emscripten's own number for EIO; PostgreSQL panics on it, as it should when a disk cannot promise. */
const inputOutputError = 29

interface Stream {
  nfd?: number
}
interface EmscriptenModule {
  NODEFS: { stream_ops: { fsync?: (stream: Stream) => number } }
  FS: { ErrnoError: new (errno: number) => Error }
}

export class DurableNodeFS extends NodeFS {
  /** How many times PostgreSQL asked for a sync and got it. The start-up test watches it rise. */
  synced = 0
  #aborted: (() => void) | undefined

  /** Called when PostgreSQL gives up for good (a panic, as on a full disk); the thread never answers after that. */
  onAborted(listener: () => void) {
    this.#aborted = listener
  }

  override async init(...[pg, options]: Parameters<NodeFS['init']>) {
    const result = await super.init(pg, options)
    const install = (module: unknown) => {
      const { NODEFS, FS } = module as EmscriptenModule
      NODEFS.stream_ops.fsync = (stream) => {
        if (stream.nfd === undefined) return 0
        try {
          fsyncSync(stream.nfd)
          this.synced += 1
          return 0
        } catch (error) {
          if (cannotSync(error)) return 0
          throw new FS.ErrnoError(inputOutputError)
        }
      }
    }
    const { emscriptenOpts } = result
    return {
      ...result,
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [...(emscriptenOpts.preRun ?? []), install],
        onAbort: () => this.#aborted?.(),
      },
    }
  }
}

/** Not every file can be synced (pipes, directories on Windows); those have nothing to lose. */
function cannotSync(error: unknown) {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EBADF', 'EINVAL', 'EPERM', 'EISDIR'].includes(String(error.code))
  )
}

/** Everything PGlite starts with except -F (no fsync); its max_parallel_*=0 must stay, it hangs without them. */
export const durableStartParams: readonly string[] = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'synchronous_commit=on',
  '-c',
  'full_page_writes=on',
  '-c',
  'shared_buffers=16MB',
  '-c',
  'max_wal_size=64MB',
  '-c',
  'min_wal_size=32MB',
]

/** Forces a whole new directory to the disk: every file, every directory, and the names of its two parents. */
export function syncTree(root: string) {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() || entry.isDirectory()) syncPath(join(entry.parentPath, entry.name))
  }
  for (const path of [root, dirname(root), dirname(dirname(root))]) syncPath(path)
}

function syncPath(path: string) {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } catch (error) {
    if (!cannotSync(error)) throw error
  } finally {
    closeSync(handle)
  }
}

/** Written last of all at first start. A directory without it is a first start that never finished, and holds nothing anyone was promised. */
const completeMark = 'jiaowu.complete'

export const isComplete = (directory: string) => existsSync(join(directory, completeMark))

export function markComplete(directory: string) {
  syncTree(directory)
  const handle = openSync(join(directory, completeMark), 'w')
  try {
    writeSync(handle, 'This database was fully created. Do not remove this file.\n')
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  syncPath(directory)
}
