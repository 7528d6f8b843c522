// Commands ask the running server for a copy of its embedded database through files in DATA_DIR/copies: whoever may
// write there may read the database anyway.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BackupError } from './archive.ts'

const folder = 'copies'
const pollMs = 300
const takenWithinMs = 10_000

/** A data directory with a copy of the database. Call `release` when it is not needed any more. */
export interface LiveCopy {
  readonly dataDir: string
  readonly release: () => Promise<void>
}

/** @throws BackupError when no server answers */
export async function askForCopy(dataDir: string): Promise<LiveCopy> {
  const [place, id] = [join(dataDir, folder), randomUUID()]
  const at = (state: string) => join(place, `${id}.${state}`)
  const release = async () => {
    for (const state of ['data', 'ask', 'taken', 'done', 'failed'])
      await rm(at(state), { recursive: true, force: true })
  }
  await mkdir(place, { recursive: true, mode: 0o700 })
  await writeFile(at('ask'), '')
  const until = performance.now() + takenWithinMs
  while (existsSync(at('ask'))) {
    if (performance.now() > until) {
      await release()
      throw new BackupError(
        `A program holds ${dataDir} and does not answer: is it a server of this version? Stop it, and try again.`,
      )
    }
    await sleep(pollMs)
  }
  while (!existsSync(at('done'))) {
    if (existsSync(at('failed'))) {
      const sentence = await readFile(at('failed'), 'utf8')
      await release()
      throw new BackupError(sentence)
    }
    await sleep(pollMs)
  }
  return { dataDir: at('data'), release }
}

/** Answers commands until the returned function is called. `copyTo` makes a data directory. */
export function answerCopies(
  dataDir: string,
  copyTo: (directory: string) => Promise<void>,
): () => Promise<void> {
  const place = join(dataDir, folder)
  let working: Promise<void> = rm(place, { recursive: true, force: true })
  const poll = async () => {
    for (const name of await readdir(place).catch(() => [])) {
      if (!name.endsWith('.ask')) continue
      const at = (state: string) => join(place, name.replace(/ask$/, state))
      await rename(at('ask'), at('taken'))
      try {
        await copyTo(at('data'))
        await writeFile(at('done'), '')
      } catch (error) {
        await writeFile(at('failed'), error instanceof Error ? error.message : String(error))
      }
    }
  }
  let isWorking = false
  const timer = setInterval(() => {
    if (isWorking) return
    isWorking = true
    working = working
      .then(poll)
      .catch(() => {})
      .finally(() => {
        isWorking = false
      })
  }, pollMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await working
  }
}
