// The whole way of files with FILE_DRIVER=s3: nothing of them stays on the disk of the server.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueDocument, readDocument } from '../../../apps/server/src/documents/index.ts'
import { FilesUnavailable } from '../../../apps/server/src/platform/files/driver.ts'
import { version } from '../../../apps/server/src/platform/version.ts'
import { runHousekeeping } from '../../../apps/server/src/start/housekeeping.ts'
import { type FakeS3, fakeS3 } from '../../../apps/server/testing/s3/fake-s3.ts'
import { startLedgerQueues } from '../../../apps/server/src/start/job-handlers.ts'

let s3: FakeS3
let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const row = { bizType: 'EDU_STUDENT', bizId: '4000001' }
beforeAll(async () => {
  s3 = await fakeS3()
  app = await testApp(s3.env)
  admin = await app.signIn('admin')
})
afterAll(async () => {
  await app.close()
  await s3.close()
})

const createFile = (bytes: string | Uint8Array<ArrayBuffer>, name: string) =>
  new File([bytes], name)
function uploadToStore(it: File, more: Partial<typeof row> = {}) {
  return admin.attachment.upload({ body: { file: it, ...row, ...more } })
}
const keys = (folder: string) => [...s3.objects.keys()].filter((key) => key.startsWith(folder))
function captureUploadCode(promise: Promise<unknown>) {
  return promise.then(
    () => 200,
    (error: unknown) => (error instanceof ApiProblem ? error.problem.code : Promise.reject(error)),
  )
}
const big = () => new Uint8Array(8_000_000).fill(65)

describe('attachments in a bucket', () => {
  it('keep their Chinese names in the database, not in the bucket', async () => {
    const saved = await uploadToStore(createFile('你好，世界', '成绩证明 (张三).txt'))
    expect(keys('files/')).toEqual([expect.stringMatching(/^files\/10000\/[\da-f]{32}$/)])
    const back = await admin.attachment.download({ query: { ids: saved.id } })
    expect([back.name, await new Response(back.stream).text()]).toEqual([
      '成绩证明 (张三).txt',
      '你好，世界',
    ])
    const { ticket } = await admin.attachment.ticket({ body: { ...row, id: saved.id } })
    const linked = await app.call(
      `/file/attachment/download/${row.bizType}/${row.bizId}?token=${ticket}&tenant=10000`,
    )
    expect([
      linked.status,
      linked.headers.get('content-length'),
      linked.headers.get('x-content-type-options'),
      await linked.text(),
    ]).toEqual([200, '15', 'nosniff', '你好，世界'])
    expect(linked.headers.get('content-disposition')).toContain(encodeURIComponent('成绩证明'))
  })
  it('are sent as one zip, and release the connection when the download is aborted', async () => {
    const saved = [
      await uploadToStore(createFile(big(), '说明.txt')),
      await uploadToStore(createFile(big(), '说明.txt')),
    ]
    const zip = () =>
      admin.attachment.download({ query: { ids: saved.map(({ id }) => id).join() } })
    const bytes = Buffer.from(await new Response((await zip()).stream).arrayBuffer())
    expect([
      bytes.byteLength > 16_000_000,
      bytes.includes('说明.txt'),
      bytes.includes('说明 (1).txt'),
    ]).toEqual([true, true, true])
    const reader = (await zip()).stream.getReader()
    while ((await reader.read()).value === undefined) {
      /* until it has begun */
    }
    await reader.cancel()
    await expect.poll(() => s3.sending()).toBe(0)
  })
  it('are refused by kind and size before the bucket is called', async () => {
    const before = s3.objects.size
    expect([
      await captureUploadCode(uploadToStore(createFile('<html></html>', 'a.html'))),
      await captureUploadCode(
        uploadToStore(createFile(new Uint8Array(20 * 1024 * 1024 + 1).fill(65), 'b.txt')),
      ),
    ]).toEqual([415, 413])
    expect(s3.objects.size).toBe(before)
  })
  it('answer 503 and log it while the bucket is unavailable, and answer again afterwards', async () => {
    const saved = await uploadToStore(createFile('x', 'x.txt'))
    s3.failNext({ times: 3, answer: { status: 503, code: 'SlowDown' }, path: /^files/ })
    expect(await captureUploadCode(admin.attachment.download({ query: { ids: saved.id } }))).toBe(
      503,
    )
    s3.failNext({ times: 1, answer: { status: 403, code: 'AccessDenied' }, method: 'PUT' })
    expect(await captureUploadCode(uploadToStore(createFile('y', 'y.txt')))).toBe(503)
    s3.failNext({ times: 1, answer: 'hang up', path: /^$/ })
    const ready = await app.fetch(new Request('http://jiaowu.test/health/ready'))
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'degraded', version, reason: 'file store does not answer' },
    ])
    expect(await captureUploadCode(admin.attachment.download({ query: { ids: saved.id } }))).toBe(
      200,
    )
    expect((await admin.attachment.list({ query: row })).some(({ name }) => name === 'y.txt')).toBe(
      false,
    )
  })
  it('answer 404 when the object is lost', async () => {
    const before = new Set(s3.objects.keys())
    const saved = await uploadToStore(createFile('x', 'lost.txt'))
    for (const key of keys('files/')) if (!before.has(key)) s3.objects.delete(key)
    expect(await captureUploadCode(admin.attachment.download({ query: { ids: saved.id } }))).toBe(
      404,
    )
    await admin.attachment.remove({ query: { ids: saved.id } })
  })
})

it('an uploaded sheet and its result are read from the bucket once it is available again', async () => {
  const stop = startLedgerQueues(app.services)
  try {
    const csv = '\ufeffid,name\r\n4000001,不动\r\n'
    s3.failNext({
      times: 3,
      answer: { status: 503, code: 'SlowDown' },
      method: 'GET',
      path: /^transfers/,
    })
    const { id } = await admin.job.import({
      params: { tag: 'EDU_STUDENT' },
      body: { file: createFile(csv, '学生.csv'), mode: 'update', key: 'id', dryRun: true },
    })
    await expect.poll(async () => (await admin.job.get({ params: { id } })).status).toBe('paused')
    await admin.job.resume({ params: { id }, body: {} })
    await expect
      .poll(async () => (await admin.job.get({ params: { id } })).status)
      .toMatch(/done|failed/)
    expect((await admin.job.get({ params: { id } })).total).toBe(1)
    expect(keys('transfers/files/10000/')).toHaveLength(1)
    const result = await admin.job.result({ params: { id }, query: { format: 'csv' } })
    expect(await new Response(result.stream).text()).toContain('4000001')
    await expect.poll(() => readdir(join(app.services.settings.dataDir, 'lent'))).toEqual([])
  } finally {
    await stop()
  }
})

it('an issued document is redrawn when its object is lost, but not while the bucket is unavailable', async () => {
  const document = await issueDocument(app.services, {
    tenant: '10000',
    studentId: '4000001',
    reportId: '2003',
    orderNo: null,
  })
  const key = `documents/10000/${document.sha256}.pdf`
  const bytes = s3.objects.get(key)?.bytes
  expect(
    createHash('sha256')
      .update(bytes ?? '')
      .digest('hex'),
  ).toBe(document.sha256)
  s3.objects.delete(key)
  s3.failNext({ times: 1, answer: { status: 404, code: 'NoSuchBucket' }, method: 'GET' })
  await expect(readDocument(app.services, document)).rejects.toThrow(FilesUnavailable)
  expect(
    Buffer.from(await readDocument(app.services, document)).equals(bytes ?? Buffer.alloc(0)),
  ).toBe(true)
  expect(s3.objects.has(key)).toBe(true)
})

it('the cleanup deletes the same files from the bucket as from the disk', async () => {
  const before = new Set(keys('files/'))
  const saved = await uploadToStore(createFile('to be deleted', '旧.txt'))
  const [gone = ''] = keys('files/').filter((key) => !before.has(key))
  await admin.attachment.remove({ query: { ids: saved.id } })
  s3.objects.set(`files/10000/${'f'.repeat(32)}`, {
    bytes: Buffer.from('loose'),
    meta: {},
    modified: new Date(),
  })
  app.advance(25 * 3_600_000)
  await runHousekeeping(app.services)
  expect([s3.objects.has(gone), s3.objects.has(`files/10000/${'f'.repeat(32)}`)]).toEqual([
    true,
    false,
  ])
  app.advance(30 * 24 * 3_600_000)
  await runHousekeeping(app.services)
  expect(s3.objects.has(gone)).toBe(false)
  expect([...before].filter((key) => !s3.objects.has(key))).toEqual([])
  expect(keys('transfers/')).toEqual([])
  expect(
    ['files', 'transfers', 'documents'].map((folder) =>
      existsSync(join(app.services.settings.dataDir, folder)),
    ),
  ).toEqual([false, false, false])
})
