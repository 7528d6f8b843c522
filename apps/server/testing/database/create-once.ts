import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Creates a file or folder once for all test files of a run. The first caller creates it under a
 * temporary name; others wait.
 */
export async function createOnce(
  path: string,
  create: (part: string) => Promise<void>,
): Promise<string> {
  const [lock, part] = [`${path}.turn`, `${path}.part`]
  while (!existsSync(path)) {
    try {
      mkdirSync(lock)
    } catch {
      await sleep(50)
      continue
    }
    try {
      if (!existsSync(path)) {
        await create(part)
        renameSync(part, path)
      }
    } finally {
      rmSync(lock, { recursive: true })
    }
  }
  return path
}
