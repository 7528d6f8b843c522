// Uploads pass a scanner before any handler sees them (docs/rules/security.md#f13).
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { askClamd } from '../../../apps/server/src/platform/files/scan/clamd.ts'
import { type FakeClamd, fakeClamd } from '../../../apps/server/testing/fake-clamd.ts'
import { toCsv } from '../../support/imports.ts'

const malicious = 'X5O!malicious'
const signature = 'Win.Test.EICAR_HDB-1'
const owner = { bizType: 'EDU_STUDENT', bizId: '4000001' }
let folder: string
let clamd: FakeClamd
let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-clamd-'))
  clamd = await fakeClamd(join(folder, 'clamd.sock'))
  clamd.signatures.set(malicious, signature)
  app = await testApp({ CLAMD_SOCKET: clamd.address })
  admin = await app.signIn('admin')
})
afterAll(async () => {
  await app.close()
  await clamd.close()
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => {
  clamd.behaviour = 'scan'
  clamd.seen.length = 0
})

async function captureProblemOrNull(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof ApiProblem ? error.problem : null
}
const attach = (file: File) => admin.attachment.upload({ body: { file, ...owner } })
const importText = (text: string) =>
  admin.job.import({ params: { tag: 'EDU_FACULTY' }, body: { file: toCsv(text), dryRun: true } })
async function picture() {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#18f' } })
    .png()
    .toBuffer()
  return { clean: png, infected: Buffer.concat([png, Buffer.from(malicious)]) }
}

describe('a scanner on a Unix socket', () => {
  it('lets clean attachments, pictures and imports pass', async () => {
    const { clean } = await picture()
    await attach(new File(['你好'], 'a.txt'))
    await attach(new File([new Uint8Array(clean)], 'p.png'))
    await importText('代码,名称\nF1,一系\n')
    expect(clamd.seen).toEqual([6, clean.byteLength, Buffer.byteLength('代码,名称\nF1,一系\n')])
  })

  it('refuses each with 422 and the signature, stores nothing, and leaves an audit line', async () => {
    const { infected } = await picture()
    const before = await admin.attachment.list({ query: owner })
    const found = [
      await captureProblemOrNull(attach(new File([malicious], 'a.txt'))),
      await captureProblemOrNull(attach(new File([new Uint8Array(infected)], 'p.png'))),
      await captureProblemOrNull(importText(`代码,名称\n${malicious},一系\n`)),
    ]
    for (const problem of found) {
      expect(problem).toMatchObject({ code: 422 })
      expect(problem?.message).toBe(`文件含有恶意内容（${signature}），已拒收`)
    }
    expect(await admin.attachment.list({ query: owner })).toEqual(before)
    const lines = await app.services.database.kysely
      .selectFrom('sys.audit_log')
      .select(['account', 'object', 'result', 'detail'])
      .where('action', '=', 'upload.refuse')
      .orderBy('seq')
      .execute()
    expect(lines).toEqual(
      ['attachment.upload', 'attachment.upload', 'job.import'].map((object) => ({
        account: 'admin',
        object,
        result: 'denied',
        detail: { signature, bytes: expect.any(Number) },
      })),
    )
  })

  it('is sent files of many chunks whole', async () => {
    const bytes = new Uint8Array(300_000).fill(65)
    bytes.set(Buffer.from(malicious), 65_530)
    expect(await askClamd({ path: clamd.address }, bytes)).toEqual({ kind: 'found', signature })
    expect(clamd.seen).toEqual([300_000])
  })

  it.each(['close', 'error'] as const)('refuses uploads with 503 when it does %s', async (how) => {
    clamd.behaviour = how
    const problem = await captureProblemOrNull(attach(new File(['x'], 'a.txt')))
    expect(problem).toMatchObject({ code: 503 })
    expect(problem?.message).toContain('病毒扫描服务没有响应')
    expect(await captureProblemOrNull(importText('代码\nF2\n'))).toMatchObject({ code: 503 })
  })
})

describe('a scanner that gives no verdict', () => {
  it('is known by a time limit, a closed port and a file that is too large for it', async () => {
    const limits = { connectMs: 1_000, totalMs: 50 }
    clamd.behaviour = 'hang'
    expect(await askClamd({ path: clamd.address }, new Uint8Array(9), limits)).toEqual({
      kind: 'unknown',
      why: 'it did not answer in time',
    })
    const small = await fakeClamd(undefined, 1_000)
    const [host = '', port] = small.address.split(':')
    const large = new Uint8Array(2_000_000)
    expect(await askClamd({ host, port: Number(port) }, large)).toEqual({
      kind: 'unknown',
      why: 'INSTREAM size limit exceeded. ERROR',
    })
    await small.close()
    expect(await askClamd({ host, port: Number(port) }, large)).toEqual({
      kind: 'unknown',
      why: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('lets uploads pass where the setting says so, and never a found file', async () => {
    const other = await fakeClamd()
    other.signatures.set(malicious, signature)
    const open = await testApp({ CLAMD_SOCKET: other.address, CLAMD_AWAY: 'accept' })
    const as = await open.signIn('admin')
    const send = (text: string) =>
      as.attachment.upload({ body: { file: new File([text], 'a.txt'), ...owner } })
    expect(await captureProblemOrNull(send(malicious))).toMatchObject({ code: 422 })
    await other.close()
    expect(await send('x')).toMatchObject({ name: 'a.txt' })
    await open.close()
  })
})
