import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAtomically, writeAtomically } from './write-atomically.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-atomic-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const readFromFolder = (name: string) => readFile(join(folder, name), 'utf8')

it('creates a file once, whoever else creates it at the same time', async () => {
  const made = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      await createAtomically(folder, 'once', Buffer.from(`writer ${n}`))
      return await readFromFolder('once')
    }),
  )
  expect(new Set(made).size).toBe(1)
  await createAtomically(folder, 'once', Buffer.from('later'))
  expect(await readFromFolder('once')).toBe(made[0])
})

it('replaces a file, and leaves no unfinished one', async () => {
  await writeAtomically(folder, 'twice', Buffer.from('first'))
  await writeAtomically(folder, 'twice', Buffer.from('second'))
  expect(await readFromFolder('twice')).toBe('second')
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
})
