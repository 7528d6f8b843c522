import { contract } from '@jiaowu/api/contract/contract'
import type { Endpoint } from '@jiaowu/api/endpoint'
import { createApp } from '@jiaowu/server/app'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { makeBackup } from '../../apps/server/src/start/nightly-backup.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await testApp()
  token = (await app.signIn('admin')).token
})
afterAll(() => app.close())

const all = Object.entries(contract).flatMap(([group, endpoints]) =>
  Object.entries(endpoints).map(([name, endpoint]) => ({
    name: `${group}.${name}`,
    endpoint: endpoint as Endpoint,
  })),
)
function headers(more: Record<string, string> = {}) {
  return {
    authorization: `bearer ${token}`,
    'content-type': 'application/json',
    ...more,
  }
}
/** Ids of 19 digits. */
function longIds(count: number): string[] {
  return Array.from({ length: count }, (_none, i) => String(9_000_000_000_000_000_000n + BigInt(i)))
}
function postPageQuery(body: unknown, more: Record<string, string> = {}) {
  return app.call('/entity/EDU_STUDENT/data/page', {
    method: 'POST',
    headers: headers(more),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}
async function readEnvelope(response: Response) {
  return {
    status: response.status,
    ...((await response.json()) as {
      code: number
      msg: string
      data: { issues?: { path: string; rule: string }[] } | null
    }),
  }
}

describe('every call of the contract', () => {
  it.each(all.filter(({ endpoint }) => endpoint.access !== 'public'))(
    '$name answers 401 without a session',
    async ({ endpoint }) => {
      const path = endpoint.path.replace(/\{\w+\}/g, 'X')
      // Without tags this address has the description of all calls, for everybody.
      const query = path === '/openapi.json' ? '?entities=X' : ''
      const response = await app.call(`${path}${query}`, {
        method: endpoint.method,
        ...(endpoint.body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: '{}' }),
      })
      expect(await readEnvelope(response)).toMatchObject({
        status: 401,
        code: 401,
        msg: '请先登录',
      })
    },
  )
  it('is in the OpenAPI document, with its access', async () => {
    const document = (await (await app.call('/openapi.json')).json()) as {
      openapi: string
      paths: Record<string, Record<string, { 'x-access': string; operationId: string }>>
      components: { schemas: Record<string, unknown> }
    }
    expect(document.openapi).toBe('3.1.0')
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path = '']) => path,
    )
    expect(refs).toContain('components/schemas/Row')
    for (const path of refs)
      expect(
        path
          .split('/')
          .reduce<unknown>(
            (node, name) => (node as Record<string, unknown> | undefined)?.[name],
            document,
          ),
        path,
      ).toBeTypeOf('object')
    expect(document.paths['/file/attachment/upload']?.post).toMatchObject({
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: { $ref: '#/components/schemas/AttachmentUploadRequest' },
          },
        },
      },
    })
    expect(document.components.schemas['AttachmentUploadRequest']).toMatchObject({
      properties: { file: { type: 'string', format: 'binary' } },
    })
    const operations = new Map(
      Object.values(document.paths)
        .flatMap((methods) => Object.values(methods))
        .map((operation) => [operation.operationId, operation]),
    )
    expect(operations.size).toBe(all.length)
    for (const { name, endpoint } of all)
      expect(operations.get(name)).toMatchObject({ 'x-access': endpoint.access })
  })
})

describe('a request', () => {
  it('is refused with the right status and a message', async () => {
    expect(await readEnvelope(await app.call('/nowhere'))).toMatchObject({ status: 404 })
    const wrongMethod = await app.call('/authority/whoami', { method: 'PUT' })
    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'GET'])
    expect(await readEnvelope(await postPageQuery('{"pageSize":', {}))).toMatchObject({
      status: 400,
    })
    for (const type of ['text/plain', 'application/jsonx', 'application/x-www-form-urlencoded'])
      expect(await readEnvelope(await postPageQuery('{}', { 'content-type': type }))).toMatchObject(
        { status: 415 },
      )
    expect(
      (await postPageQuery({}, { 'content-type': 'Application/JSON; charset=utf-8' })).status,
    ).toBe(200)
    expect(
      await readEnvelope(await postPageQuery(`{"queries":{"name":"${'x'.repeat(1_100_000)}"}}`)),
    ).toMatchObject({ status: 413 })
  })
  it('may omit a body whose keys are all optional', async () => {
    const resume = (body: string | null) =>
      app.call('/job/1/resume', {
        method: 'POST',
        headers: { authorization: `bearer ${token}` },
        body: body === null ? null : new TextEncoder().encode(body),
      })
    expect(
      await Promise.all([null, '', '{}'].map(async (body) => (await resume(body)).status)),
    ).toEqual([404, 404, 415])
  })
  it('may hold no prototype key, unknown key, repeated key or excessive depth', async () => {
    expect(
      await readEnvelope(await postPageQuery('{"queries":{"__proto__":{"a":1}}}')),
    ).toMatchObject({
      status: 422,
      code: 42200,
    })
    expect(await readEnvelope(await postPageQuery('{"constructor":1}'))).toMatchObject({
      status: 422,
    })
    expect(await readEnvelope(await postPageQuery({ nonsense: 1 }))).toMatchObject({
      status: 422,
      data: { issues: [{ path: 'nonsense', rule: 'unknownField' }] },
    })
    expect(
      await readEnvelope(await postPageQuery(`${'{"queries":'.repeat(25)}{}${'}'.repeat(25)}`)),
    ).toMatchObject({
      status: 422,
    })
    expect(
      await readEnvelope(
        await app.call('/dictionaryItem/codes?codes=gender&codes=term', { headers: headers() }),
      ),
    ).toMatchObject({ status: 422 })
    expect(
      await readEnvelope(
        await app.call('/dictionaryItem/codes?codes=gender&x=1', { headers: headers() }),
      ),
    ).toMatchObject({ status: 422 })
    expect(({} as Record<string, unknown>).a).toBeUndefined()
  })
  it('may delete 500 rows with the longest ids at once, and not 700', async () => {
    const remove = (count: number) =>
      app.call(`/entity/EDU_STUDENT/data/${longIds(count).join(',')}`, {
        method: 'DELETE',
        headers: headers(),
      })
    expect((await remove(500)).status).toBe(404)
    expect((await remove(700)).status).toBe(400)
  })
  it('is limited in page size, sorts and queries', async () => {
    expect((await readEnvelope(await postPageQuery({ pageSize: 1001 }))).status).toBe(422)
    expect(
      (
        await readEnvelope(
          await postPageQuery({
            sorts: Array.from({ length: 6 }, (_none, i) => ({ column: `c${i}`, asc: true })),
          }),
        )
      ).status,
    ).toBe(422)
    expect(
      (
        await readEnvelope(
          await postPageQuery({
            queries: Object.fromEntries(Array.from({ length: 31 }, (_none, i) => [`q${i}`, 1])),
          }),
        )
      ).status,
    ).toBe(422)
  })
  it('is refused with a foreign account header, and from another site', async () => {
    expect(await readEnvelope(await postPageQuery({}, { 'account-id': '1' }))).toMatchObject({
      status: 401,
    })
    expect(
      await readEnvelope(await postPageQuery({}, { 'sec-fetch-site': 'cross-site' })),
    ).toMatchObject({
      status: 403,
    })
  })
})

describe('a button', () => {
  it('returns its actions, answers 501 for SQL, and is refused without permission', async () => {
    const api = await app.signIn('admin')
    const course = await api.design.load({ params: { tag: 'EDU_COURSE' } })
    await api.design.save({
      params: { tag: 'EDU_COURSE' },
      body: {
        ...course,
        buttons: [
          { code: 'go', name: '去', position: 1, eventContent: [{ do: 'refresh' }] },
          { code: 'run', name: '运行', position: 1, eventType: 2, eventContent: 'select 1' },
          { code: 'off', name: '停', position: 1, status: 0 },
        ],
      },
    })
    const press = async (code: string, language = 'zh-CN') =>
      readEnvelope(
        await app.call(`/entity/EDU_COURSE/button/${code}`, {
          method: 'POST',
          headers: headers({ 'accept-language': language }),
        }),
      )
    expect(await press('go')).toMatchObject({ status: 200, data: { actions: [{ do: 'refresh' }] } })
    expect([await press('run'), await press('run', 'en')]).toMatchObject([
      { status: 501, code: 501, msg: '这个按钮要执行 SQL，系统不支持' },
      { status: 501, msg: 'This button would run SQL, which is not supported' },
    ])
    expect([(await press('off')).status, (await press('nothing')).status]).toEqual([404, 404])
    const clerk = await app.signIn('clerk')
    expect(
      (
        await app.call('/entity/EDU_COURSE/button/go', {
          method: 'POST',
          headers: { authorization: `bearer ${clerk.token}` },
        })
      ).status,
    ).toBe(403)
  })
})

describe('the server', () => {
  const at = (state: { migrating: boolean; draining: boolean }) => {
    const it = createApp({ services: app.services, state })
    return {
      ...it,
      get: async (path: string) => {
        const response = await it.fetch(
          new Request(`http://jiaowu.test${path}`, { headers: headers() }),
        )
        return {
          status: response.status,
          retry: response.headers.get('retry-after'),
          connection: response.headers.get('connection'),
        }
      },
    }
  }
  it('answers 503 during migrations, and is live', async () => {
    const { get } = at({ migrating: true, draining: false })
    expect(await get('/api/authority/whoami')).toEqual({
      status: 503,
      retry: '2',
      connection: null,
    })
    expect((await get('/health/ready')).status).toBe(503)
    expect((await get('/health/live')).status).toBe(200)
  })
  it('tells the administrators of the first school that no backup was made at night', async () => {
    const { signal } = new AbortController()
    expect(await makeBackup(app.services, '/dev/null/backups', signal)).toBe(false)
    const told = await app.services.database.kysely
      .selectFrom('sys.message')
      .select(['title', 'content'])
      .where('tenant_id', '=', '10000')
      .where('title', 'like', '数据备份失败%')
      .execute()
    expect(told).toHaveLength(1)
    expect(told[0]?.content).toContain('/dev/null/backups')
  })
  it('lets calls wait while it starts, so that a restart fails none', async () => {
    const state = { migrating: true, draining: false }
    const { promise: prepared, resolve } = Promise.withResolvers<void>()
    const { fetch } = createApp({ services: app.services, state, prepared })
    const call = fetch(
      new Request('http://jiaowu.test/api/authority/whoami', { headers: headers() }),
    )
    state.migrating = false
    resolve()
    expect((await call).status).toBe(200)
  })
  it('serves on while it drains, and tells callers to connect elsewhere', async () => {
    const { get } = at({ migrating: false, draining: true })
    expect(await get('/api/authority/whoami')).toMatchObject({ status: 200, connection: 'close' })
    expect((await get('/health/ready')).status).toBe(503)
  })
  it('finishes requests in flight when it refuses new ones', async () => {
    const { get, refuse } = at({ migrating: false, draining: false })
    const inFlight = get('/api/authority/whoami')
    let drained = false
    const over = refuse().then(() => {
      drained = true
    })
    expect(await get('/api/authority/whoami')).toMatchObject({ status: 503, connection: 'close' })
    expect((await get('/health/ready')).status).toBe(503)
    expect((await inFlight).status).toBe(200)
    await over
    expect(drained).toBe(true)
  })
  it('lists the product enumerations in both languages', async () => {
    const codes = [
      'uiType',
      'queryType',
      'uiWidth',
      'validator',
      'dictType',
      'defaultType',
      'defaultConstant',
      'linkType',
      'serialNumType',
      'buttonPosition',
      'openType',
      'isAdd',
      'isEdit',
    ]
    const enums = async (language: string) =>
      (
        (await (
          await app.call(`/enums?codes=${codes.join(',')},nothing`, {
            headers: headers({ 'accept-language': language }),
          })
        ).json()) as { data: Record<string, { id: string; name: string }[]> }
      ).data
    const [zh, en] = [await enums('zh-CN'), await enums('en')]
    expect(zh.nothing).toEqual([])
    for (const code of codes) {
      expect(zh[code]?.length, code).toBeGreaterThan(1)
      for (const [i, { id, name }] of (zh[code] ?? []).entries())
        expect(
          [name === id, en[code]?.[i]?.name === name && code !== 'uiWidth', en[code]?.[i]?.id],
          `${code}.${id}`,
        ).toEqual([false, false, id])
    }
  })
})

describe('a reply', () => {
  it('has the security headers, and is not cacheable from the API', async () => {
    for (const response of [
      await postPageQuery({}),
      await app.call('/nowhere'),
      await app.call('/openapi.json'),
      await app.call('/captcha?key=0123456789abcdef'),
      await app.call('/entity/EDU_STUDENT/data/export', {
        method: 'POST',
        headers: headers(),
        body: '{"format":"csv"}',
      }),
    ]) {
      expect(response.headers.get('content-security-policy')).toMatch(
        /^(sandbox; )?default-src 'none'/,
      )
      expect(response.headers.get('content-security-policy')).not.toMatch(
        /unsafe|\*|allow-duplicates/,
      )
      expect([
        response.headers.get('x-content-type-options'),
        response.headers.get('referrer-policy'),
        response.headers.get('cache-control'),
      ]).toEqual(['nosniff', 'no-referrer', 'no-store'])
      expect([...response.headers.keys()].filter((name) => /powered|^server$/.test(name))).toEqual(
        [],
      )
      await response.arrayBuffer()
    }
  })
  it('is in the language of the request', async () => {
    expect(
      (
        await readEnvelope(
          await app.call('/authority/whoami', { headers: { 'accept-language': 'en-GB,en;q=0.9' } }),
        )
      ).msg,
    ).toBe('Please log in first')
    const config = async (language: string) =>
      (
        (await (
          await app.call('/entity/EDU_STUDENT/config', {
            headers: headers({ 'accept-language': language }),
          })
        ).json()) as { data: { name: string; fields: { attrName: string; uiLabel: string }[] } }
      ).data
    expect((await config('en')).name).toBe('Student')
    expect((await config('zh-CN')).fields.find((field) => field.attrName === 'name')?.uiLabel).toBe(
      '姓名',
    )
  })
  it('holds no SQL, stack, path or version after an error', async () => {
    const texts = await Promise.all(
      [
        postPageQuery({ queries: { name: "'; drop table biz.student; --" } }),
        postPageQuery({ sorts: [{ column: 'name desc nulls last', asc: true }] }),
        app.call('/entity/EDU_STUDENT/data/999999999999999999999', { headers: headers() }),
      ].map(async (response) => (await response).text()),
    )
    for (const text of texts)
      expect(text).not.toMatch(/select |from biz|\.ts:|at Object|node_modules|PostgreSQL/i)
  })
})
