import { describe, expect, it } from 'vitest'
import { createClient } from './client.ts'
import { contract } from '../contract/contract.ts'
import { ApiProblem } from '../problem.ts'

function replyWithBody(status: number, body: unknown, headers: Record<string, string> = {}) {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: {
      'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
      ...headers,
    },
  })
}
const ok = (data: unknown) =>
  replyWithBody(200, { success: true, code: 200, msg: '', data, traceId: 't' })

function createTestClient(
  answer: (request: Request) => Response | Promise<Response>,
  reported: ApiProblem[] = [],
) {
  const seen: Request[] = []
  const api = createClient({
    baseURL: 'http://school.test/api',
    locale: () => 'en',
    now: () => 42,
    authorise: () => Promise.resolve({ token: 'T', account: '管理员', accountId: '7' }),
    onSessionProblem: (p) => reported.push(p),
    fetch: async (input, init) => {
      const request = new Request(input, init)
      seen.push(request.clone() as Request)
      return answer(request)
    },
  })
  return { api, seen }
}
async function failure(promise: Promise<unknown>) {
  const error = await promise.then(
    () => null,
    (e: unknown) => e,
  )
  if (!(error instanceof ApiProblem)) throw new Error(`not an ApiProblem: ${String(error)}`)
  return error.problem
}

describe('createClient', () => {
  it('fills the path, carries the session headers and ts, and unwraps the envelope', async () => {
    const { api, seen } = createTestClient(() => ok({ id: '3', name: 'x' }))
    const row = await api.entityData.get({ params: { tag: 'EDU_STUDENT', id: '3' } })
    expect(row).toEqual({ id: '3', name: 'x' })
    expect(seen[0]?.url).toBe('http://school.test/api/entity/EDU_STUDENT/data/3?ts=42')
    expect(seen[0]?.headers.get('authorization')).toBe('bearer T')
    expect(decodeURIComponent(seen[0]?.headers.get('account') ?? '')).toBe('管理员')
    expect(seen[0]?.headers.get('accept-language')).toBe('en')
  })
  it('keeps the commas of several ids in the path', async () => {
    const { api, seen } = createTestClient(() => ok({ deleted: 2 }))
    await api.entityData.remove({ params: { tag: 'A', ids: '1,2' } })
    expect(seen[0]?.url).toBe('http://school.test/api/entity/A/data/1,2')
  })
  it('sends sign-in as a form with the public client header', async () => {
    const { api, seen } = createTestClient(() => ok({}))
    await api.session.signIn({
      body: { grant_type: 'password', username: 'admin', password: 'p&=1' },
    })
    expect(await seen[0]?.text()).toBe('grant_type=password&username=admin&password=p%26%3D1')
    expect(seen[0]?.headers.get('content-type')).toContain('application/x-www-form-urlencoded')
    expect(seen[0]?.headers.get('authorization')).toBe(`Basic ${btoa('console:console')}`)
  })
  it('reports session problems and rejects with them', async () => {
    const reported: ApiProblem[] = []
    const { api } = createTestClient(
      () =>
        replyWithBody(401, {
          success: false,
          code: 40001,
          msg: 'expired',
          data: null,
          traceId: 'x',
        }),
      reported,
    )
    expect(await failure(api.session.menu({}))).toMatchObject({
      kind: 'session',
      code: 40001,
      message: 'expired',
      traceId: 'x',
    })
    expect(reported).toHaveLength(1)
  })
  it('reads field issues and the current row of a stale write', async () => {
    const invalid = createTestClient(() =>
      replyWithBody(422, {
        success: false,
        code: 42200,
        msg: 'no',
        data: { issues: [{ path: 'name', rule: 'required', msg: 'r' }] },
      }),
    )
    expect(
      await failure(invalid.api.entityData.create({ params: { tag: 'A' }, body: {} })),
    ).toMatchObject({ kind: 'invalid', issues: [{ path: 'name', rule: 'required', msg: 'r' }] })
    const stale = createTestClient(() =>
      replyWithBody(409, { success: false, code: 40900, msg: 's', data: { id: '1', version: 3 } }),
    )
    expect(
      await failure(stale.api.entityData.update({ params: { tag: 'A', id: '1' }, body: {} })),
    ).toMatchObject({ kind: 'refused', code: 40900, data: { version: 3 } })
  })
  it('reports HTML, an empty 500 and a network failure with a message', async () => {
    expect(
      await failure(createTestClient(() => replyWithBody(200, '<html>')).api.session.menu({})),
    ).toMatchObject({
      kind: 'transport',
      message: { key: 'problem.notJson' },
    })
    expect(
      await failure(
        createTestClient(() => new Response(null, { status: 500 })).api.session.menu({}),
      ),
    ).toMatchObject({ kind: 'refused', message: { key: 'problem.internal' } })
    expect(
      await failure(
        createTestClient(() => Promise.reject(new TypeError('refused'))).api.session.menu({}),
      ),
    ).toMatchObject({ kind: 'transport', message: { key: 'problem.network' } })
  })
  it('says of a proxy that has no answer that the server is away, and of the server what it says', async () => {
    for (const status of [502, 503, 504])
      expect(
        await failure(
          createTestClient(
            () => new Response('<html>Bad Gateway</html>', { status }),
          ).api.session.menu({}),
        ),
      ).toMatchObject({ kind: 'transport', code: status, message: { key: 'problem.away' } })
    const busy = { success: false, code: 503, msg: 'busy', data: null, traceId: 'k3f92m8qx7ah' }
    expect(
      await failure(createTestClient(() => replyWithBody(503, busy)).api.session.menu({})),
    ).toMatchObject({ kind: 'refused', message: 'busy', traceId: 'k3f92m8qx7ah' })
  })
  it('answers a file as an unread stream with its name, and refuses an export that answers JSON', async () => {
    const file = createTestClient(() =>
      replyWithBody(200, 'a,b', {
        'content-disposition': "attachment; filename*=UTF-8''%E6%88%90%E7%BB%A9.csv",
        'content-type': 'text/csv',
        'x-rows': '7',
      }),
    )
    const { name, rows, stream } = await file.api.entityData.export({
      params: { tag: 'A' },
      body: {},
    })
    expect([name, rows, await new Response(stream).text()]).toEqual(['成绩.csv', 7, 'a,b'])
    const refused = createTestClient(() =>
      replyWithBody(200, { success: false, code: 500, msg: 'Error' }),
    )
    expect(
      await failure(refused.api.entityData.export({ params: { tag: 'A' }, body: {} })),
    ).toMatchObject({ kind: 'refused', message: 'Error' })
  })
  it('refuses an HTML page as a file unless it has a file name', async () => {
    const download = (headers: Record<string, string>) =>
      createTestClient(() =>
        replyWithBody(200, '<html>', { 'content-type': 'text/html', ...headers }),
      ).api.student.download({ query: { orderNo: 'JW123456' } })
    expect(await failure(download({}))).toMatchObject({
      kind: 'transport',
      message: { key: 'problem.notJson' },
    })
    expect(
      (await download({ 'content-disposition': 'attachment; filename="page.html"' })).name,
    ).toBe('page.html')
  })
  it("lets the caller's own abort through untouched", async () => {
    const stop = new AbortController()
    const { api } = createTestClient(
      (request) =>
        new Promise((_ok, fail) => {
          if (request.signal.aborted) fail(request.signal.reason as Error)
          request.signal.addEventListener('abort', () => fail(request.signal.reason as Error))
        }),
    )
    const pending = api.session.menu({ signal: stop.signal }).catch((e: unknown) => e)
    stop.abort(new Error('left'))
    expect(await pending).not.toBeInstanceOf(ApiProblem)
  })
  it('uses the upload function only for calls that ask for progress', async () => {
    const sent: number[] = []
    const ways: string[] = []
    const api = createClient({
      baseURL: 'http://school.test/api',
      locale: () => 'en',
      authorise: () => Promise.resolve({ token: 'T', account: '', accountId: '' }),
      fetch: async () => {
        ways.push('fetch')
        return ok(null)
      },
      upload: async (url, init, onSent) => {
        ways.push(`${init.method} ${url}`)
        onSent(3)
        return init.body instanceof FormData
          ? replyWithBody(413, { success: false, code: 413, msg: 'too large' })
          : ok(null)
      },
    })
    const body = { file: new File(['abc'], 'a.txt'), bizType: 'A', bizId: '1' }
    expect(
      (await failure(api.attachment.upload({ body, onSent: (bytes) => sent.push(bytes) }))).message,
    ).toBe('too large')
    await api.attachment.upload({ body })
    expect(ways).toEqual(['POST http://school.test/api/file/attachment/upload', 'fetch'])
    expect(sent).toEqual([3])
  })
})

describe('contract', () => {
  it('names every method and path once', () => {
    const all = Object.values(contract)
      .flatMap((group) => Object.values(group))
      .map((e) => `${e.method} ${e.path}`)
    expect(new Set(all).size).toBe(all.length)
  })

  describe('a request that was not answered', () => {
    const keysOf = (seen: readonly Request[]) =>
      seen.map(({ headers }) => headers.get('idempotency-key') ?? '')
    const order = { body: { reportId: '1', payType: 'wechat' } } as const
    it('has the same key when it is sent again, until it has its answer', async () => {
      const replies = [
        () => {
          throw new TypeError('connection lost')
        },
        () => replyWithBody(502, '<html>'),
        () =>
          replyWithBody(409, {
            success: false,
            code: 40901,
            msg: 'runs',
            data: null,
            traceId: 't',
          }),
        () => ok({}),
        () => ok({}),
      ]
      const { api, seen } = createTestClient(() => (replies.shift() ?? (() => ok({})))())
      for (let n = 0; n < 5; n += 1) await api.student.order(order).catch(() => {})
      const keys = keysOf(seen)
      expect(keys[0]).toMatch(/^[\da-f]{32}$/)
      expect(keys.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => keys[0]))
      expect(keys[4]).not.toBe(keys[0])
    })
    it('has another key after a refusal, and for another body or path', async () => {
      const { api, seen } = createTestClient(() =>
        replyWithBody(422, { success: false, code: 42200, msg: 'no', data: null, traceId: 't' }),
      )
      await failure(api.student.order(order))
      await failure(api.student.order(order))
      await failure(api.student.order({ body: { ...order.body, reportId: '2' } }))
      expect(new Set(keysOf(seen)).size).toBe(3)
    })
    it('is the same request when the same file is chosen again', async () => {
      const { api, seen } = createTestClient(() => {
        throw new TypeError('connection lost')
      })
      const file = (name: string) => new File(['a'], name, { lastModified: 1 })
      const send = (name: string) =>
        failure(api.job.import({ params: { tag: 'A' }, body: { file: file(name) } }))
      await send('a.xlsx')
      await send('a.xlsx')
      await send('b.xlsx')
      const [first, second, third] = keysOf(seen)
      expect([second === first, third === first]).toEqual([true, false])
    })
  })
})
