import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import sharp from 'sharp'
import { catchProblem } from '../../support/student.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHousekeeping } from '../../../apps/server/src/start/housekeeping.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const bizType = 'EDU_STUDENT'
const bizId = '4000001'
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

async function captureStatus(promise: Promise<unknown>) {
  return promise.then(
    () => 200,
    (error: unknown) => (error instanceof ApiProblem ? error.problem.code : Promise.reject(error)),
  )
}
function png() {
  return sharp({ create: { width: 8, height: 8, channels: 3, background: '#18f' } })
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .png()
    .toBuffer()
}
function createUploadFile(bytes: Uint8Array | string, name: string) {
  return new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name)
}
function uploadFile(
  client: typeof admin,
  it: File,
  more: Partial<{ bizType: string; bizId: string }> = {},
) {
  return client.attachment.upload({ body: { file: it, bizType, bizId, ...more } })
}

describe('attachments', () => {
  it('store a file, list it, return it under its name, and delete it', async () => {
    const saved = await uploadFile(admin, createUploadFile('你好，世界', '说明 (1).txt'))
    expect(saved).toMatchObject({ name: '说明 (1).txt', type: 'text/plain', bizType, bizId })
    expect(
      (await admin.attachment.list({ query: { bizType, bizId } })).map(({ id }) => id),
    ).toEqual([saved.id])
    const back = await admin.attachment.download({ query: { ids: saved.id } })
    expect([back.name, await new Response(back.stream).text()]).toEqual([
      '说明 (1).txt',
      '你好，世界',
    ])
    expect(await admin.attachment.remove({ query: { ids: saved.id } })).toEqual({ deleted: 1 })
    expect(await captureStatus(admin.attachment.download({ query: { ids: saved.id } }))).toBe(404)
  })
  it('send several as one zip, equal names numbered', async () => {
    const [a, b] = [
      await uploadFile(admin, createUploadFile('a', 'x.txt')),
      await uploadFile(admin, createUploadFile('b', 'x.txt')),
    ]
    const zip = await admin.attachment.download({ query: { ids: `${a.id},${b.id}` } })
    const bytes = Buffer.from(await new Response(zip.stream).arrayBuffer())
    expect([zip.name, bytes.subarray(0, 2).toString()]).toEqual(['下载文件.zip', 'PK'])
    expect(bytes.includes('x (1).txt')).toBe(true)
  })
  it('refuse content that does not match its name or extension', async () => {
    const html = '<html><script>alert(1)</script></html>'
    for (const bad of [
      createUploadFile(html, 'a.html'),
      createUploadFile('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg'),
      createUploadFile('MZ\u0000\u0001', 'a.txt'),
      createUploadFile(await png(), 'a.jpg'),
      createUploadFile(html, 'a.png'),
      createUploadFile('x', 'noending'),
    ])
      expect(await captureStatus(uploadFile(admin, bad))).toBe(415)
    expect(await catchProblem(uploadFile(admin, createUploadFile('', 'a.txt')))).toMatchObject({
      code: 42200,
      issues: [{ path: 'file', msg: '文件是空的' }],
    })
    expect(
      await captureStatus(
        uploadFile(
          admin,
          createUploadFile(new Uint8Array(20 * 1024 * 1024 + 1).fill(65), 'big.txt'),
        ),
      ),
    ).toBe(413)
  })
  it('are redrawn when they are pictures, so that no location is stored', async () => {
    const original = await png()
    expect(original.includes('secret place')).toBe(true)
    const saved = await uploadFile(admin, createUploadFile(original, 'p.png'))
    const back = Buffer.from(
      await new Response(
        (await admin.attachment.download({ query: { ids: saved.id } })).stream,
      ).arrayBuffer(),
    )
    expect(back.includes('secret place')).toBe(false)
    expect((await sharp(back).metadata()).width).toBe(8)
  })
  it('need the rights of their row', async () => {
    const saved = await uploadFile(admin, createUploadFile('x', 'x.txt'))
    const [viewer, second] = [await app.signIn('viewer'), await app.signIn('admin', '10001')]
    expect(await captureStatus(viewer.attachment.download({ query: { ids: saved.id } }))).toBe(200)
    expect(await captureStatus(uploadFile(viewer, createUploadFile('x', 'x.txt')))).toBe(403)
    expect(await captureStatus(viewer.attachment.remove({ query: { ids: saved.id } }))).toBe(403)
    expect(await captureStatus(second.attachment.download({ query: { ids: saved.id } }))).toBe(404)
    expect(
      await captureStatus(
        uploadFile(admin, createUploadFile('x', 'x.txt'), { bizType: 'NO_SUCH' }),
      ),
    ).toBe(404)
    expect(
      await captureStatus(
        (await app.signIn('clerk')).attachment.list({
          query: { bizType: 'EDU_GRADE', bizId: '50000001' },
        }),
      ),
    ).toBe(403)
  })
  it('open by a ticket of 60 s and 3 uses, never by a session token in a link', async () => {
    const saved = await uploadFile(admin, createUploadFile(await png(), 'p.png'))
    const link = (ticket: string) =>
      app.call(
        `/file/attachment/download/${bizType}/${bizId}?token=${ticket}&id=${saved.id}&tenant=10000`,
      )
    expect((await link(admin.token)).status).toBe(401)
    const { ticket } = await admin.attachment.ticket({ body: { bizType, bizId, id: saved.id } })
    const picture = await link(ticket)
    expect([
      picture.status,
      picture.headers.get('content-type'),
      picture.headers.get('content-security-policy'),
    ]).toEqual([200, 'image/png', "sandbox; default-src 'none'"])
    await picture.arrayBuffer()
    for (let i = 0; i < 2; i += 1) await (await link(ticket)).arrayBuffer()
    expect((await link(ticket)).status).toBe(401)
    const late = await admin.attachment.ticket({ body: { bizType, bizId } })
    app.advance(61_000)
    expect((await link(late.ticket)).status).toBe(401)
  })
  it('are audited when a document is opened by a link, but not when a picture is', async () => {
    const lines = async () =>
      Number(
        (
          await app.services.database.kysely
            .selectFrom('sys.audit_log')
            .select((e) => e.fn.countAll<string>().as('n'))
            .where('action', '=', 'attachment.download')
            .executeTakeFirstOrThrow()
        ).n,
      )
    const take = async (id: string) => {
      const { ticket } = await admin.attachment.ticket({ body: { bizType, bizId, id } })
      const before = await lines()
      await (
        await app.call(`/file/attachment/download/${bizType}/${bizId}?token=${ticket}`)
      ).arrayBuffer()
      return (await lines()) - before
    }
    expect(await take((await uploadFile(admin, createUploadFile('x', 'x.txt'))).id)).toBe(1)
    expect(await take((await uploadFile(admin, createUploadFile(await png(), 'p.png'))).id)).toBe(0)
  })
  it('wait for a row that is not saved yet, visible to their uploader only', async () => {
    const draft = await admin.session.generateId({})
    const saved = await uploadFile(admin, createUploadFile('x', 'x.txt'), { bizId: draft })
    expect(
      (await admin.attachment.list({ query: { bizType, bizId: draft } })).map(({ id }) => id),
    ).toEqual([saved.id])
    const registrar = await app.signIn('registrar')
    expect(await registrar.attachment.list({ query: { bizType, bizId: draft } })).toEqual([])
    expect(await captureStatus(registrar.attachment.download({ query: { ids: saved.id } }))).toBe(
      404,
    )
    expect(
      await captureStatus(uploadFile(admin, createUploadFile('x', 'x.txt'), { bizId: 'no-id' })),
    ).toBe(404)
  })
  it('laid under the id of a form by someone else do not become files of its row', async () => {
    const registrar = await app.signIn('registrar')
    const id = await admin.session.generateId({})
    await uploadFile(admin, createUploadFile('mine', 'mine.txt'), {
      bizType: 'EDU_FACULTY',
      bizId: id,
    })
    await uploadFile(registrar, createUploadFile('theirs', 'theirs.txt'), {
      bizType: 'EDU_FACULTY',
      bizId: id,
    })
    await admin.entityData.create({
      params: { tag: 'EDU_FACULTY' },
      body: { id, code: 'F950', name: '附件学院' },
    })
    const kept = await registrar.attachment.list({ query: { bizType: 'EDU_FACULTY', bizId: id } })
    expect(kept.map(({ name }) => name)).toEqual(['mine.txt'])
  })
  it('of an unsaved row have tickets for their uploader alone', async () => {
    const draft = await admin.session.generateId({})
    const picture = await uploadFile(admin, createUploadFile(await png(), 'p.png'), {
      bizId: draft,
    })
    const registrar = await app.signIn('registrar')
    const fetched = async (client: typeof admin, id?: string) => {
      const body = { bizType, bizId: draft, ...(id === undefined ? {} : { id }) }
      const { ticket } = await client.attachment.ticket({ body })
      const path = `/file/attachment/download/${bizType}/${draft}?token=${ticket}`
      return (await app.call(id === undefined ? path : `${path}&id=${id}`)).status
    }
    expect(await fetched(admin)).toBe(200)
    expect([await fetched(registrar), await fetched(registrar, picture.id)]).toEqual([404, 404])
  })
  it('answer alike for what is missing and what is hidden', async () => {
    const other = await app.signIn('admin', '10001')
    const clerk = await app.signIn('clerk')
    const saved = await uploadFile(admin, createUploadFile('x', 'x.txt'))
    const answers = async (
      calls: readonly (readonly [token: string, path: string, body?: object])[],
    ) =>
      await Promise.all(
        calls.map(async ([token, path, body]) => {
          const response = await app.call(path, {
            method: body === undefined ? 'GET' : 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          })
          const text = (await response.text()).replace(/"traceId":"[^"]+"/, '')
          return `${response.status} ${text}`
        }),
      )
    const jobs = await admin.job.import({
      params: { tag: 'EDU_FACULTY' },
      body: {
        file: createUploadFile('code,name\nZ1,z\n', 'z.csv'),
        mode: 'insert',
        dryRun: true,
      } as never,
    })
    const pairs = [
      [`/entity/${bizType}/data/${bizId}`, `/entity/${bizType}/data/77`, other.token],
      [
        `/file/attachment?bizType=${bizType}&bizId=${bizId}`,
        `/file/attachment?bizType=${bizType}&bizId=77`,
        other.token,
      ],
      [
        `/file/attachment/download?ids=${saved.id}`,
        '/file/attachment/download?ids=77',
        other.token,
      ],
      [`/job/${jobs.id}`, '/job/77', clerk.token],
      [`/bulk/${jobs.id}`, '/bulk/77', clerk.token],
    ] as const
    for (const [hidden, missing, token] of pairs) {
      const [a, b] = await answers([
        [token, hidden],
        [token, missing],
      ])
      expect(a, hidden).toBe(b)
      expect(a, hidden).toMatch(/^404/)
    }
    const ticketOf = (id: string) =>
      answers([[other.token, '/file/attachment/ticket', { bizType, bizId: id }]])
    expect(await ticketOf(bizId)).toEqual(await ticketOf('77'))
    expect((await ticketOf('77'))[0]).toMatch(/^404/)
  })
  it('are removed after 30 days in the bin, after one day without a row, and when no row refers to them', async () => {
    const {
      database: { kysely },
      settings,
    } = app.services
    const folder = join(settings.dataDir, 'files', '10000')
    const stored = async (id: string) =>
      await kysely
        .selectFrom('sys.attachment')
        .select(['storage_name', 'deleted_at'])
        .where('id', '=', id)
        .executeTakeFirst()
    const [kept, binned, draft] = [
      await uploadFile(admin, createUploadFile('k', 'k.txt')),
      await uploadFile(admin, createUploadFile('b', 'b.txt')),
      await uploadFile(admin, createUploadFile('d', 'd.txt'), {
        bizId: await admin.session.generateId({}),
      }),
    ]
    const binnedName = (await stored(binned.id))?.storage_name ?? ''
    await admin.attachment.remove({ query: { ids: binned.id } })
    const loose = 'f'.repeat(32)
    await writeFile(join(folder, loose), 'loose')
    await writeFile(join(folder, 'half.part'), 'half')
    await runHousekeeping(app.services)
    expect(
      (await readdir(folder)).filter(
        (name) => name === binnedName || name === loose || name === 'half.part',
      ),
    ).toHaveLength(3)
    app.advance(25 * 3_600_000)
    await runHousekeeping(app.services)
    expect(await kysely.selectFrom('sys.session').select('id').execute()).not.toEqual([])
    expect(
      (await readdir(folder)).filter((name) => name === loose || name === 'half.part'),
    ).toEqual([])
    expect((await stored(draft.id))?.deleted_at).not.toBe(null)
    app.advance(30 * 24 * 3_600_000)
    await runHousekeeping(app.services)
    expect([
      await stored(binned.id),
      await stored(draft.id),
      (await readdir(folder)).includes(binnedName),
    ]).toEqual([undefined, undefined, false])
    const name = (await stored(kept.id))?.storage_name ?? ''
    expect(await readFile(join(folder, name), 'utf8')).toBe('k')
    expect([
      await kysely.selectFrom('sys.session').select('id').execute(),
      await kysely.selectFrom('sys.file_ticket').select('user_id').execute(),
    ]).toEqual([[], []])
  })
})
