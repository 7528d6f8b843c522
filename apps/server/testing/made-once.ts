import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A file or folder that all test files of a run share: made by whoever comes first, at a place beside it; the others wait. */
export async function madeOnce(
  path: string,
  make: (part: string) => Promise<void>,
): Promise<string> {
  const [turn, part] = [`${path}.turn`, `${path}.part`]
  while (!existsSync(path)) {
    try {
      mkdirSync(turn)
    } catch {
      await sleep(50)
      continue
    }
    try {
      if (!existsSync(path)) {
        await make(part)
        renameSync(part, path)
      }
    } finally {
      rmSync(turn, { recursive: true })
    }
  }
  return path
}
