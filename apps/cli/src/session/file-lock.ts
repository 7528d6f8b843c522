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

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** Nobody holds it longer: a call ends after 20 s (docs/spec/1-entity-console.md §9). Milliseconds. */
const longest = 60_000

/**
 * Runs `work` while no other terminal of this person does the same to `path`.
 * @param patience milliseconds to wait for the others
 * @throws Error when they are not done by then
 */
export async function locked<T>(
  path: string,
  work: () => Promise<T> | T,
  patience = 30_000,
): Promise<T> {
  const lock = `${path}.lock`
  const until = Date.now() + patience
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  for (;;) {
    try {
      writeFileSync(lock, `${hostname()} ${process.pid} ${randomUUID()}`, {
        flag: 'wx',
        mode: 0o600,
      })
      break
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      if (Date.now() > until) throw new Error(`${lock} is held by another process`)
      breakDead(lock)
      await pause(20)
    }
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Takes away a lock whose holder died. Renaming is what only one can do; whoever moved a living lock by that puts it back. */
function breakDead(lock: string): void {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return ''
      throw error
    }
  }
  const seen = read(lock)
  const [host, pid] = seen.split(' ')
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (age < longest && (host !== hostname() || isAlive(Number(pid)))) return
  const aside = `${lock}.${randomUUID()}`
  try {
    renameSync(lock, aside)
    if (read(aside) !== seen) linkSync(aside, lock)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error
  }
  rmSync(aside, { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM' // another person's process: it lives
  }
}
