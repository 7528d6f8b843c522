// The same tests for both drivers.
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.ts'
import { type FakeS3, fakeS3 } from '../../../testing/s3/fake-s3.ts'
import { copyFiles } from './copy.ts'
import { type FileArea, FileMissing, type FileRef, type FileStore } from './driver.ts'
import { readAll } from './read-all.ts'
import { fileStore } from './store.ts'

let folder = ''
let s3: FakeS3
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-store-'))
  s3 = await fakeS3({ pageSize: 2 })
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

const drivers: readonly [string, () => { readonly store: FileStore; readonly dataDir: string }][] =
  [
    [
      'disk',
      () => {
        const dataDir = join(folder, 'disk')
        return { dataDir, store: fileStore(readSettings({ DATA_DIR: dataDir })) }
      },
    ],
    [
      's3',
      () => {
        const dataDir = join(folder, 's3')
        return { dataDir, store: fileStore(readSettings({ DATA_DIR: dataDir, ...s3.env })) }
      },
    ],
  ]
async function collectAll<T>(from: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = []
  for await (const each of from) got.push(each)
  return got
}
const hashStored = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
function ref(name: string, area: FileArea = 'attachments', tenant = '10000'): FileRef {
  return {
    area,
    tenant,
    name,
  }
}
const encodeText = (words: string) => new TextEncoder().encode(words)

describe.each(drivers)('files on %s', (_name, open) => {
  it('are read back byte for byte, large and empty ones too', async () => {
    const { store } = open()
    for (const [name, bytes] of [
      ['small', encodeText('你好，世界')],
      ['large', randomBytes(3_000_000)],
      ['empty', new Uint8Array()],
    ] as const) {
      await store.write(ref(name), bytes)
      expect(hashStored((await readAll(store, ref(name))) ?? encodeText('nothing'))).toBe(
        hashStored(bytes),
      )
      expect(await store.sha256(ref(name))).toBe(hashStored(bytes))
    }
  })
  it('replace a file of the same name', async () => {
    const { store } = open()
    await store.write(ref('twice'), encodeText('first'))
    await store.write(ref('twice'), encodeText('second'))
    expect(await readAll(store, ref('twice'))).toEqual(encodeText('second'))
  })
  it('are separate by area and by tenant', async () => {
    const { store } = open()
    await store.write(ref('same', 'documents'), encodeText('document'))
    await store.write(ref('same', 'uploads', '10001'), encodeText('upload'))
    expect([
      await readAll(store, ref('same', 'documents')),
      await readAll(store, ref('same', 'uploads')),
      await readAll(store, ref('same', 'uploads', '10001')),
    ]).toEqual([encodeText('document'), null, encodeText('upload')])
  })
  it('throw FileMissing when they do not exist, except on removal', async () => {
    const { store } = open()
    await expect(store.read(ref('nowhere'))).rejects.toThrow(FileMissing)
    await expect(store.localFile(ref('nowhere'))).rejects.toThrow(FileMissing)
    expect([await store.sha256(ref('nowhere')), await readAll(store, ref('nowhere'))]).toEqual([
      null,
      null,
    ])
    await store.remove(ref('nowhere'))
  })
  it('no longer exist after removal', async () => {
    const { store } = open()
    await store.write(ref('passing'), encodeText('x'))
    await store.remove(ref('passing'))
    expect(await readAll(store, ref('passing'))).toBe(null)
  })
  it('are listed once per area with their time of writing', async () => {
    const { store } = open()
    const names = ['a', 'b', 'c.pdf', 'd', 'e']
    for (const name of names) await store.write(ref(name, 'documents', '10002'), encodeText(name))
    const found = (await collectAll(store.list('documents'))).filter(
      ({ tenant }) => tenant === '10002',
    )
    expect(found.map(({ name }) => name).sort()).toEqual(names)
    for (const { modified } of found)
      expect(Math.abs(Date.now() - modified.getTime())).toBeLessThan(60_000)
  })
  it('are available as a local file', async () => {
    const { store, dataDir } = open()
    await store.write(ref('lent'), encodeText('random access'))
    const { path, release } = await store.localFile(ref('lent'))
    expect(await readFile(path, 'utf8')).toBe('random access')
    expect((await stat(path)).mode & 0o077).toBe(0)
    await release()
    expect(await readAll(store, ref('lent'))).not.toBe(null)
    expect(await readdir(join(dataDir, 'lent')).catch(() => [])).toEqual([])
  })
  it('left by interrupted work are swept when they are old, and no others', async () => {
    const { store, dataDir } = open()
    await store.write(ref('whole'), encodeText('whole'))
    const left = [
      join(dataDir, 'files', '10000', `x.${'0'.repeat(8)}.part`),
      join(dataDir, 'lent', 'copy'),
    ]
    const now = new Date()
    for (const path of left) {
      await mkdir(join(path, '..'), { recursive: true })
      await writeFile(path, 'half')
    }
    expect(await store.sweep(new Date(now.getTime() + 60_000))).toBe(0)
    expect(
      (await collectAll(store.list('attachments'))).filter(({ name }) => name.endsWith('.part')),
    ).toEqual([])
    for (const path of left) await utimes(path, now, new Date(now.getTime() - 25 * 3_600_000))
    expect(await store.sweep(now)).toBe(1)
    expect(await readAll(store, ref('whole'))).toEqual(encodeText('whole'))
    for (const path of left) await rm(path, { force: true })
  })
  it('cannot be named outside their folder', async () => {
    const { store } = open()
    for (const name of ['../x', 'a/b', '.', '..', '', '.hidden', 'a\\b', '说明.txt'])
      await expect(
        (async () => {
          await store.write(ref(name), encodeText('x'))
        })(),
      ).rejects.toThrow('invalid name of a stored file')
    await expect(
      (async () => {
        await store.read(ref('x', 'attachments', '..'))
      })(),
    ).rejects.toThrow('invalid name of a stored file')
  })
  it('release their resources when a read is cancelled', async () => {
    const { store } = open()
    await store.write(ref('long'), randomBytes(8_000_000))
    const reader = (await store.read(ref('long'))).getReader()
    expect((await reader.read()).done).toBe(false)
    await reader.cancel()
    await expect.poll(() => s3.sending()).toBe(0)
  })
  it('survive many concurrent writes', async () => {
    const { store, dataDir } = open()
    const many = Array.from({ length: 24 }, (_, i) => ({
      file: ref(`many${i % 12}`),
      bytes: encodeText(`${i % 12}`.repeat(10_000)),
    }))
    await Promise.all(many.map(({ file, bytes }) => store.write(file, bytes)))
    for (const { file, bytes } of many.slice(0, 12))
      expect(await readAll(store, file)).toEqual(bytes)
    expect(
      (await readdir(join(dataDir, 'files', '10000')).catch(() => [])).filter((name) =>
        name.endsWith('.part'),
      ),
    ).toEqual([])
  })
  it('report a healthy store after probe and claim', async () => {
    const { store } = open()
    await store.probe()
    await store.claim('this one')
    await store.claim('this one')
    expect(await store.healthy()).toBe(true)
  })
})

describe('copying a store', () => {
  it('copies and verifies every file, and resumes after a failure', async () => {
    const from = fileStore(readSettings({ DATA_DIR: join(folder, 'from') }))
    const to = fileStore(
      readSettings({ DATA_DIR: join(folder, 'to'), ...s3.env, S3_PREFIX: '/school/a/' }),
    )
    for (let i = 0; i < 7; i += 1)
      await from.write(
        ref(`f${i}`, i % 2 === 0 ? 'attachments' : 'documents'),
        encodeText(`file ${i}`),
      )
    s3.failNext({
      method: 'PUT',
      path: /f4$/,
      times: 3,
      answer: { status: 503, code: 'SlowDown' },
    })
    await expect(copyFiles(from, to)).rejects.toThrow('503')
    const done = await copyFiles(from, to)
    expect([done.copied + done.unchanged, done.copied > 0, done.unchanged > 0]).toEqual([
      7,
      true,
      true,
    ])
    expect(await copyFiles(from, to)).toEqual({ copied: 0, unchanged: 7 })
    expect([...s3.objects.keys()].filter((key) => key.startsWith('school/a/'))).toHaveLength(7)
    const back = fileStore(readSettings({ DATA_DIR: join(folder, 'back') }))
    expect(await copyFiles(to, back)).toEqual({ copied: 7, unchanged: 0 })
    expect(await readAll(back, ref('f6'))).toEqual(encodeText('file 6'))
  })
  it('replaces a different file at the target, and stops when a copy differs from its source', async () => {
    const [from, to] = [
      fileStore(readSettings({ DATA_DIR: join(folder, 'one') })),
      fileStore(readSettings({ DATA_DIR: join(folder, 'two') })),
    ]
    await from.write(ref('f'), encodeText('right'))
    await to.write(ref('f'), encodeText('wrong'))
    expect(await copyFiles(from, to)).toEqual({ copied: 1, unchanged: 0 })
    expect(await readAll(to, ref('f'))).toEqual(encodeText('right'))
    await from.write(ref('f'), encodeText('newer'))
    await expect(
      copyFiles(from, {
        ...to,
        read: () => Promise.resolve(new Response('damaged').body as ReadableStream<Uint8Array>),
      }),
    ).rejects.toThrow('files/10000/f')
  })
})
