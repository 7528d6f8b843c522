// Nothing is created twice: ids made when the form opened, and Idempotency-Key
// (docs/rules/contract.md#creates).
import { newKey } from '@jiaowu/api/client/new-key'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let clerk: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  clerk = await app.signIn('registrar')
  const run = (text: string) => sql.raw(text).execute(app.services.database.kysely)
  await run(`create table biz.memo (id serial primary key, title varchar(80) not null)`)
  const { definition: draft } = await admin.design.draft({
    params: { name: 'memo' },
    query: { tag: 'BIZ_MEMO' },
  })
  await admin.design.create({ body: { ...draft } })
})
afterAll(() => app.close())

interface Reply {
  readonly status: number
  readonly text: string
  readonly code: number
  readonly data: Record<string, unknown>
  readonly replayed: boolean
}
async function postWithKey(
  path: string,
  body: object,
  key: string | null = null,
  token = admin.token,
): Promise<Reply> {
  const response = await app.call(path, {
    method: 'POST',
    headers: {
      authorization: `bearer ${token}`,
      'content-type': 'application/json',
      ...(key === null ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  // A listener sends as many bytes as the header says.
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  const { code, data } = JSON.parse(text) as { code: number; data: Record<string, unknown> }
  const replayed = response.headers.get('idempotency-replayed') === 'true'
  return { status: response.status, text, code, data, replayed }
}
const countWhere = async (table: string, column: string, value: string) => {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(
    app.services.database.kysely,
  )
  return Number(rows[0]?.n)
}
const faculty = '/entity/EDU_FACULTY/data'

describe('an id made when the form opened', () => {
  it('is said to be taken by the config, and not for a table with its own ids', async () => {
    const config = (tag: string) => admin.entityData.config({ params: { tag } })
    expect((await config('EDU_FACULTY')).formId).toBe(true)
    expect((await config('BIZ_MEMO')).formId).toBeUndefined()
  })
  it('gives one row, however often and however simultaneously it is sent', async () => {
    const id = await admin.session.generateId({})
    const body = { id, code: 'F901', name: '重复学院' }
    const replies = await Promise.all(Array.from({ length: 5 }, () => postWithKey(faculty, body)))
    expect(replies.map(({ status, data }) => [status, data.id])).toEqual(
      replies.map(() => [200, id]),
    )
    const later = await postWithKey(faculty, { ...body, name: '另一个名字' })
    expect([later.status, later.data.id, later.data.name]).toEqual([200, id, '重复学院'])
    expect(await countWhere('biz.faculty', 'code', 'F901')).toBe(1)
    const { entries } = await admin.history.of({ params: { tag: 'EDU_FACULTY', id } })
    expect(entries.filter(({ action }) => action === 'add')).toHaveLength(1)
  })
  it('is refused to anybody else, with nothing of the row', async () => {
    const id = await admin.session.generateId({})
    await postWithKey(faculty, { id, code: 'F902', name: '甲学院' })
    const other = await postWithKey(
      faculty,
      { id, code: 'F903', name: '乙学院' },
      null,
      clerk.token,
    )
    expect([other.status, other.code, other.data]).toEqual([409, 409, null])
    expect(other.text).not.toContain('甲学院')
    expect(await countWhere('biz.faculty', 'code', 'F903')).toBe(0)
  })
})

describe('Idempotency-Key', () => {
  const memo = '/entity/BIZ_MEMO/data'
  it('answers the same bytes again, on a table whose ids the database makes', async () => {
    const key = newKey()
    const first = await postWithKey(memo, { title: '一次' }, key)
    const again = await postWithKey(memo, { title: '一次' }, key)
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text])
    expect([first.replayed, again.replayed]).toEqual([false, true])
    expect(await countWhere('biz.memo', 'title', '一次')).toBe(1)
  })
  it('gives one row for simultaneous requests; the others wait and try again', async () => {
    const key = newKey()
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => postWithKey(memo, { title: '同时' }, key)),
    )
    for (const { status, code } of replies)
      expect([200, 40_901]).toContain(status === 200 ? 200 : code)
    expect((await postWithKey(memo, { title: '同时' }, key)).status).toBe(200)
    expect(await countWhere('biz.memo', 'title', '同时')).toBe(1)
  })
  it('answers another body with 422/42201, and the order of its keys does not matter', async () => {
    const key = newKey()
    const id = await admin.session.generateId({})
    await postWithKey(faculty, { id, code: 'F904', name: '丙学院' }, key)
    const other = await postWithKey(faculty, { id, code: 'F904', name: '丁学院' }, key)
    expect([other.status, other.code]).toEqual([422, 42_201])
    const same = await postWithKey(faculty, { name: '丙学院', id, code: 'F904' }, key)
    expect([same.status, same.replayed]).toEqual([200, true])
  })
  it('is free after a refusal, belongs to one person and has a sane form', async () => {
    const key = newKey()
    expect((await postWithKey(memo, { title: '' }, key)).status).toBe(422)
    expect((await postWithKey(memo, { title: '改正' }, key)).status).toBe(200)
    expect((await postWithKey(memo, { title: '改正' }, 'x'.repeat(201))).status).toBe(422)
    expect((await postWithKey(memo, { title: '改正' }, 'with blank')).status).toBe(422)
    const theirs = await postWithKey(faculty, { code: 'F905', name: '戊学院' }, key, clerk.token)
    expect(theirs.replayed).toBe(false)
  })
  it('gives one attachment for a repeated upload, and one bulk job for a repeated start', async () => {
    const page = await admin.entityData.page({
      params: { tag: 'EDU_FACULTY' },
      body: { pageSize: 1 },
    })
    const bizId = String(page.records[0]?.id)
    const headers = { 'idempotency-key': newKey() }
    const send = () =>
      admin.attachment.upload({
        body: {
          file: new File(['twice'], 'twice.txt', { type: 'text/plain' }),
          bizType: 'EDU_FACULTY',
          bizId,
        },
        headers,
      })
    expect(await send()).toEqual(await send())
    expect(await countWhere('sys.attachment', 'name', 'twice.txt')).toBe(1)
    const bulk = { ids: [bizId], set: { name: '批量' } }
    const key = newKey()
    const path = '/entity/EDU_FACULTY/data/bulk/update'
    const [first, again] = [await postWithKey(path, bulk, key), await postWithKey(path, bulk, key)]
    expect([first.status, again.text]).toEqual([200, first.text])
  })
  it('is in the OpenAPI document of every call that creates or starts something', async () => {
    const document = (await (await app.call('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { operationId: string; parameters: { name: string }[] }>>
    }
    const keyed = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
      .map(({ operationId }) => operationId)
    expect(keyed).toEqual(
      expect.arrayContaining([
        'entityData.create',
        'student.order',
        'print.order',
        'job.import',
        'bulk.update',
        'bulk.remove',
        'print.requestRefund',
        'attachment.upload',
      ]),
    )
  })
})
