import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BackupError, readArchive, writeArchive } from './archive.ts'
import type { Part } from './tar.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-archive-'))
})
afterAll(() => rm(folder, { recursive: true }))

const parts: Part[] = [
  { name: 'backup.json', bytes: Buffer.from('{"a":1}') },
  { name: 'empty', bytes: Buffer.alloc(0) },
  { name: 'rows/0/000000000000.ndjson', bytes: randomBytes(200_000) },
  { name: 'stored/files/10000/六.bin', bytes: randomBytes(512) },
]

async function* yieldParts(list: readonly Part[]): AsyncGenerator<Part> {
  for (const part of list) yield await Promise.resolve(part)
}

async function readAll(path: string, key?: Buffer): Promise<Part[]> {
  const found: Part[] = []
  for await (const part of readArchive(path, key)) found.push(part)
  return found
}

async function complaint(path: string, key?: Buffer): Promise<string> {
  const error: unknown = await readAll(path, key).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(BackupError)
  return (error as BackupError).message.replaceAll(folder, '')
}

describe.each([
  ['plain', undefined],
  ['encrypted', Buffer.alloc(32, 7)],
] as const)('a backup, %s', (kind, key) => {
  let path: string
  beforeAll(async () => {
    path = join(folder, kind)
    await writeArchive(path, yieldParts(parts), key)
  })

  it('gives back its parts, in order', async () => {
    expect(await readAll(path, key)).toEqual(parts)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('replaces no file, and leaves none when it fails', async () => {
    await expect(writeArchive(path, yieldParts(parts), key)).rejects.toThrow('is there already')
    const failing = async function* () {
      yield* yieldParts(parts)
      throw new Error('the database went')
    }
    await expect(writeArchive(join(folder, 'broken'), failing(), key)).rejects.toThrow('went')
    expect((await readdir(folder)).filter((name) => name.startsWith('broken'))).toEqual([])
  })

  it('is refused wherever a byte is changed or missing', async () => {
    const whole = await readFile(path)
    const damaged = join(folder, 'damaged')
    // Beyond the fields of gzip's header that mean nothing.
    for (let at = 20; at < whole.length; at += Math.ceil(whole.length / 40)) {
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      await writeFile(damaged, bytes)
      expect(await complaint(damaged, key), String(at)).toContain('is damaged')
      await writeFile(damaged, whole.subarray(0, at))
      expect(await complaint(damaged, key), String(at)).toContain('is damaged')
    }
  })
})

it('of another key is refused', async () => {
  const path = join(folder, 'encrypted')
  expect(await complaint(path, Buffer.alloc(32, 8))).toBe(
    '/encrypted is damaged, or BACKUP_KEY is not its key.',
  )
  expect(await complaint(path)).toBe('/encrypted is encrypted: set BACKUP_KEY to its key.')
})

it('opens with tar', () => {
  const { stdout } = spawnSync('tar', ['tzf', join(folder, 'plain')], { encoding: 'utf8' })
  expect(stdout.trim().split('\n')).toHaveLength(parts.length + 1)
})
