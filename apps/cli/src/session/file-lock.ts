import { randomUUID } from 'node:crypto'
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const readErrorCode = (error: unknown) => (error as NodeJS.ErrnoException).code

/**
 * Milliseconds after which a lock counts as abandoned; a call ends after 20 s
 * (docs/spec/1-entity-console.md §9).
 */
const maxAge = 60_000

/**
 * Runs `work` while holding the lock file of `path`.
 * @param timeout milliseconds to wait for other processes
 * @throws Error after the timeout
 */
export async function runLocked<T>(
  path: string,
  work: () => Promise<T> | T,
  timeout = 30_000,
): Promise<T> {
  const lock = `${path}.lock`
  const until = Date.now() + timeout
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  for (;;) {
    try {
      writeFileSync(lock, `${hostname()} ${process.pid} ${randomUUID()}`, {
        flag: 'wx',
        mode: 0o600,
      })
      break
    } catch (error) {
      if (readErrorCode(error) !== 'EEXIST') throw error
      if (Date.now() > until) throw new Error(`${lock} is held by another process`)
      removeAbandoned(lock)
      await pause(20)
    }
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/**
 * Removes the lock of a dead process. Only one process can succeed in renaming the file; if it
 * moved the lock of a living process by that, it puts it back.
 */
function removeAbandoned(lock: string): void {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      if (readErrorCode(error) === 'ENOENT') return ''
      throw error
    }
  }
  const seen = read(lock)
  const [host, pid] = seen.split(' ')
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (age < maxAge && (host !== hostname() || isAlive(Number(pid)))) return
  const moved = `${lock}.${randomUUID()}`
  try {
    renameSync(lock, moved)
    if (read(moved) !== seen) linkSync(moved, lock)
  } catch (error) {
    if (readErrorCode(error) !== 'ENOENT' && readErrorCode(error) !== 'EEXIST') throw error
  }
  rmSync(moved, { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return readErrorCode(error) === 'EPERM' // alive, but owned by another user
  }
}
