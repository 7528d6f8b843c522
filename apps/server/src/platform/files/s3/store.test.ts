// Failures that only a bucket can have.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readSettings } from '../../settings/settings.ts'
import { type FakeS3, fakeS3, type SimulatedFailure } from '../../../../testing/s3/fake-s3.ts'
import { type FileRef, FilesUnavailable } from '../driver.ts'
import { readAll } from '../read-all.ts'
import { type S3Timeouts, standardTimeouts, buildObjectUrl } from './client.ts'
import type { S3Account } from '../../settings/settings-files.ts'
import { s3Store } from './store.ts'

// A listening server replaces the global Response by another class than that of fetch.
getRequestListener(() => new Response())

let s3: FakeS3
let dataDir = ''
beforeEach(async () => {
  s3 = await fakeS3()
  dataDir = await mkdtemp(join(tmpdir(), 'jiaowu-s3-'))
})
afterEach(async () => {
  await s3.close()
  await rm(dataDir, { recursive: true, force: true })
})

function readTestAccount(env: Record<string, string> = {}): S3Account {
  const { s3: account } = readSettings({ ...s3.env, ...env })
  if (account === undefined) throw new Error('no account')
  return account
}
function openTestStore(env: Record<string, string> = {}, timeouts: S3Timeouts = standardTimeouts) {
  return s3Store(readTestAccount(env), dataDir, timeouts)
}
const impatient = () => openTestStore({}, { reply: 200, pause: 200 })
/** Waits long enough for the first bytes on a busy machine. */
const impatientMidway = () => openTestStore({}, { reply: 10_000, pause: 200 })
const file: FileRef = { area: 'attachments', tenant: '10000', name: 'f' }
const bytes = new TextEncoder().encode('bytes')
function times(
  count: number,
  answer: SimulatedFailure['answer'],
  more: Partial<SimulatedFailure> = {},
) {
  return s3.failNext({ times: count, answer, ...more })
}
const busy = { status: 503, code: 'SlowDown' }

describe('a failing service', () => {
  it.each<[string, SimulatedFailure['answer']]>([
    ['answers 503', busy],
    ['answers 500', { status: 500, code: 'InternalError' }],
    ['hangs up', 'hang up'],
  ])('that %s twice is tried a third time', async (_what, answer) => {
    times(2, answer)
    await openTestStore().write(file, bytes)
    times(2, answer)
    expect(await readAll(openTestStore(), file)).toEqual(bytes)
    expect(s3.seen).toHaveLength(6)
  })
  it.each<[string, SimulatedFailure['answer'], number]>([
    ['503', busy, 3],
    ['hangs up', 'hang up', 3],
    ['403', { status: 403, code: 'AccessDenied' }, 1],
    ['no bucket', { status: 404, code: 'NoSuchBucket' }, 1],
  ])(
    'that keeps failing (%s) is unavailable, which differs from a missing file',
    async (_what, answer, asked) => {
      await openTestStore().write(file, bytes)
      for (const work of [
        () => openTestStore().read(file),
        () => openTestStore().localFile(file),
        () => readAll(openTestStore(), file),
        () => openTestStore().write(file, bytes),
        () => openTestStore().remove(file),
        () => openTestStore().list('attachments').next(),
      ]) {
        s3.seen.length = 0
        times(asked, answer)
        await expect(work()).rejects.toThrow(FilesUnavailable)
        expect(s3.seen).toHaveLength(asked)
      }
    },
  )
  it('that never answers runs into the timeout', async () => {
    times(1, 'silence')
    await expect(impatient().read(file)).rejects.toThrow('S3 did not answer in time')
  })
  it('that stalls in the middle of a body runs into the timeout', async () => {
    await openTestStore().write(file, randomBytes(2_000_000))
    times(1, 'stall')
    await expect(readAll(impatientMidway(), file)).rejects.toThrow('S3 stopped sending')
    await expect.poll(() => s3.sending()).toBe(0)
  })
  it('has its health checked every ten seconds at most', async () => {
    const store = openTestStore()
    times(1, 'hang up')
    expect([
      await store.healthy(),
      await store.healthy(),
      s3.seen.length,
      await openTestStore().healthy(),
    ]).toEqual([false, false, 1, true])
  })
  it('that closes the connection within a body causes an error and leaves no local copy', async () => {
    await openTestStore().write(file, randomBytes(2_000_000))
    times(2, 'cut')
    await expect(readAll(openTestStore(), file)).rejects.toThrow(FilesUnavailable)
    await expect(openTestStore().localFile(file)).rejects.toThrow(FilesUnavailable)
    expect(await readdir(join(dataDir, 'lent'))).toEqual([])
    await expect.poll(() => s3.sending()).toBe(0)
  })
  it('keeps the old file when an upload fails', async () => {
    await openTestStore().write(file, bytes)
    times(3, busy, { method: 'PUT' })
    await expect(openTestStore().write(file, randomBytes(100_000))).rejects.toThrow('503')
    expect(await readAll(openTestStore(), file)).toEqual(bytes)
  })
  it('that has lost the stored digest gets it computed from the file', async () => {
    await openTestStore().write(file, bytes)
    const known = await openTestStore().sha256(file)
    const [[key, object] = []] = [...s3.objects]
    if (key === undefined || object === undefined) throw new Error('nothing stored')
    s3.objects.set(key, { ...object, meta: {} })
    expect([known, await openTestStore().sha256(file)]).toEqual([known, known])
  })
})

describe('a list', () => {
  it('omits objects whose key is no storage path', async () => {
    await openTestStore().write(file, bytes)
    for (const key of [
      'files/10000/deep/er',
      'files/loose',
      'files/10000/说明.txt',
      'other/10000/f',
    ])
      s3.objects.set(key, { bytes: Buffer.from('x'), meta: {}, modified: new Date() })
    const found: string[] = []
    for await (const { name } of openTestStore().list('attachments')) found.push(name)
    expect(found).toEqual(['f'])
  })
})

describe('a probe', () => {
  const probed = (env: Record<string, string> = {}) =>
    openTestStore(env)
      .probe()
      .then(
        () => 'fine',
        (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : ''),
      )
  it('leaves no object behind', async () => {
    expect([await probed(), s3.objects.size, s3.seen.map(({ method }) => method).join()]).toEqual([
      'fine',
      0,
      'GET,PUT,GET,DELETE',
    ])
  })
  it.each<[string, Record<string, string>, string]>([
    [
      'bucket',
      { S3_BUCKET: 'elsewhere' },
      'S3_BUCKET elsewhere does not exist at URL: make it first.',
    ],
    ['key', { S3_ACCESS_KEY_ID: 'AKNOBODY' }, 'S3_ACCESS_KEY_ID is not known at URL.'],
    [
      'secret',
      { S3_SECRET_ACCESS_KEY: 'guess' },
      'S3_SECRET_ACCESS_KEY does not belong to S3_ACCESS_KEY_ID at URL.',
    ],
    [
      'region',
      { S3_REGION: 'us-east-1' },
      'S3_REGION us-east-1 or S3_ENDPOINT URL is not where S3_BUCKET jiaowu-files is, which is in cn-campus-1.',
    ],
    [
      'port',
      { S3_ENDPOINT: 'http://127.0.0.1:1' },
      'S3_ENDPOINT http://127.0.0.1:1 cannot be reached: ',
    ],
    [
      'host',
      { S3_ENDPOINT: 'http://s3.nowhere.invalid', S3_FORCE_PATH_STYLE: '1' },
      'S3_ENDPOINT http://s3.nowhere.invalid cannot be reached: ',
    ],
  ])('explains in one sentence that the %s is wrong', async (_what, env, sentence) => {
    const message = await probed(env)
    expect(message.startsWith(`SettingsError: ${sentence.replace('URL', s3.url)}`)).toBe(true)
    expect(message).toMatch(/^[^\n]+\.$/)
    expect(message).not.toContain('guess')
  })
  it('names the difference of the clocks', async () => {
    s3.skew = 20 * 60_000
    expect(await probed()).toBe(
      `SettingsError: S3_ENDPOINT ${s3.url} refuses this machine's clock, which is 20 minutes off: set it right.`,
    )
  })
  it.each<[SimulatedFailure['method'], RegExp, string]>([
    ['GET', /^$/, 'list'],
    ['PUT', /./, 'write'],
    ['GET', /./, 'read'],
    ['DELETE', /./, 'delete'],
  ])('names the operation that the key may not do: %s %s', async (method, path, word) => {
    times(
      1,
      { status: 403, code: 'AccessDenied' },
      { ...(method === undefined ? {} : { method }), path },
    )
    expect(await probed()).toBe(
      `SettingsError: S3_ACCESS_KEY_ID may not ${word} in S3_BUCKET jiaowu-files.`,
    )
  })
  it('reports a busy service and a service that does not answer', async () => {
    times(3, busy)
    expect(await probed()).toBe(
      `SettingsError: S3_ENDPOINT ${s3.url} cannot be used: it answers 503 SlowDown.`,
    )
    times(1, 'silence')
    expect(await impatient().probe().catch(String)).toBe(
      `SettingsError: S3_ENDPOINT ${s3.url} cannot be reached: it does not answer in time.`,
    )
  })
  it('allows one owner per bucket and prefix', async () => {
    await openTestStore().claim('1')
    await expect(openTestStore().claim('2')).rejects.toThrow(
      'S3_BUCKET jiaowu-files holds the files of another installation: give this one another bucket or S3_PREFIX, or delete jiaowu/installation there if its database is gone.',
    )
    await openTestStore({ S3_PREFIX: 'two' }).claim('2')
    await openTestStore().claim('1')
  })
})

it('puts the bucket into the path or the host name', () => {
  const account = readTestAccount()
  const at = (endpoint: string, pathStyle: boolean, key = 'files/1/f') =>
    buildObjectUrl({ ...account, endpoint, pathStyle }, key, { prefix: 'a/b' }).href
  expect(at('https://oss-cn-beijing.aliyuncs.com', false)).toBe(
    'https://jiaowu-files.oss-cn-beijing.aliyuncs.com/files/1/f?prefix=a%2Fb',
  )
  expect(at('https://s3.school.cn:9000', true)).toBe(
    'https://s3.school.cn:9000/jiaowu-files/files/1/f?prefix=a%2Fb',
  )
  expect([
    at('https://s3.school.cn', true, ''),
    at('https://s3.school.cn', false, ''),
    at('https://school.cn/storage/s3', true),
  ]).toEqual([
    'https://s3.school.cn/jiaowu-files?prefix=a%2Fb',
    'https://jiaowu-files.s3.school.cn/?prefix=a%2Fb',
    'https://school.cn/storage/s3/jiaowu-files/files/1/f?prefix=a%2Fb',
  ])
})
