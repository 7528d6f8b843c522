// A file system for PGlite with fsync. PGlite's own NodeFS has none, so a power cut could lose or
// destroy acknowledged data; its fdatasync is a stub, hence wal_sync_method=fsync below.
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { Exports, Memory } from './cancel.ts'

/** Emscripten's number for EIO. PostgreSQL panics on it, which is right when a sync fails. */
const inputOutputError = 29

type Options = Parameters<NodeFS['init']>[1]
type Started = (instance: { readonly exports: Exports }, module: object) => void

interface Stream {
  nfd?: number
}
interface EmscriptenModule {
  NODEFS: { stream_ops: { fsync?: (stream: Stream) => number } }
  FS: { ErrnoError: new (errno: number) => Error }
}

export class DurableNodeFS extends NodeFS {
  /** Number of successful syncs; the check at start-up expects it to increase. */
  synced = 0
  #aborted: (() => void) | undefined
  #memory: Memory | undefined
  #started: ((exports: Exports) => void) | undefined

  /** Called when PostgreSQL panics, as on a full disk. The thread never answers after that. */
  onAborted(listener: () => void) {
    this.#aborted = listener
  }

  /** Gives the module its memory, and its exports to `started`. */
  useModule(memory: Memory, started: (exports: Exports) => void) {
    this.#memory = memory
    this.#started = started
  }

  override async init(...[pg, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
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
        ...(this.#memory === undefined ? {} : this.#moduleOptions(emscriptenOpts, this.#memory)),
      },
    }
  }

  #moduleOptions(options: Options, memory: Memory): object {
    return {
      wasmMemory: memory,
      instantiateWasm: (imports: object, done: Started) =>
        options.instantiateWasm?.(imports, (instance: { exports: Exports }, module: object) => {
          this.#started?.(instance.exports)
          done(instance, module)
        }),
    }
  }
}

/** Pipes, and directories on Windows, cannot be synced and hold no data. */
function cannotSync(error: unknown) {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EBADF', 'EINVAL', 'EPERM', 'EISDIR'].includes(String(error.code))
  )
}

/** PGlite's parameters except -F (no fsync). Keep its max_parallel_*=0: PGlite hangs without them. */
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

/** Syncs a new directory: every file and directory in it, and its two parent directories. */
function syncTree(root: string) {
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

/** Written last at the first start. */
export const completeMark = 'jiaowu.complete'

export const isCompleteDirectory = (directory: string) => existsSync(join(directory, completeMark))

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
