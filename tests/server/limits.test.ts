// Limits of the bodies and values of a caller, and of the readers of the metrics
// (docs/rules/security.md#c8, #i4, #i5, #i6, #r17).
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

type Client = Awaited<ReturnType<TestApp['signIn']>>
const metricsToken = 'metrics-token-of-the-test'
let app: TestApp
let admin: Client
beforeAll(async () => {
  app = await testApp({ METRICS_TOKEN: metricsToken, LIMIT_EXPORTS: '2' })
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

async function captureLimitVerdict(attempt: Promise<unknown>): Promise<string> {
  return await attempt.then(
    () => 'allowed',
    (error: unknown) => {
      if (!(error instanceof ApiProblem)) throw error
      const { code, issues } = error.problem
      return [code, ...issues.map(({ path, rule }) => `${path} ${rule}`)].join(' ')
    },
  )
}

describe('bodies', () => {
  const token = 'a'.repeat(22)
  const chunked = (bytes: number) =>
    new ReadableStream({
      start(controller) {
        for (let left = bytes; left > 0; left -= 65_536)
          controller.enqueue(Buffer.alloc(Math.min(left, 65_536), 'x'))
        controller.close()
      },
    })
  const post = (path: string, init: RequestInit & { duplex?: 'half' }) =>
    app.fetch(new Request(`http://jiaowu.test${path}`, { method: 'POST', ...init }))
  it.each([
    ['JSON with a length', () => ({ body: JSON.stringify({ a: 'x'.repeat(1_100_000) }) })],
    ['JSON in chunks', () => ({ body: chunked(1_100_000), duplex: 'half' as const })],
  ])('of %s get 413 beyond 1 MB', async (_what, body) => {
    const response = await post('/api/entity/EDU_STUDENT/data/page', {
      ...body(),
      headers: { 'content-type': 'application/json', authorization: `bearer ${admin.token}` },
    })
    expect(response.status).toBe(413)
  })
  it('of a sign-in get 413 beyond 64 KB', async () => {
    const response = await post('/api/authority/anno/login', {
      body: `grant_type=password&username=${'x'.repeat(70_000)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(response.status).toBe(413)
  })
  it('of an unknown cashier page are not read', async () => {
    const response = await post(`/pay/sandbox/${token}`, { body: 'x'.repeat(1_000_000) })
    expect(response.status).toBe(404)
  })
})

describe('/metrics', () => {
  const asked = async (ip: string, headers: Record<string, string> = {}) =>
    (
      await app.fetch(new Request('http://jiaowu.test/metrics', { headers }), {
        ip,
        secure: false,
      })
    ).status
  it('answers this machine and the bearer of the token alone', async () => {
    expect(await asked('127.0.0.1')).toBe(200)
    expect(await asked('203.0.113.9')).toBe(403)
    expect(await asked('127.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).toBe(403)
    expect(await asked('203.0.113.9', { authorization: `Bearer ${metricsToken}` })).toBe(200)
    expect(await asked('203.0.113.9', { authorization: 'Bearer wrong-token-of-16' })).toBe(403)
  })
})

describe('a definition', () => {
  const at = { params: { tag: 'EDU_CLASS' } } as const
  const button = { code: 'extra', name: '附加', position: 2 as const, eventType: 1 as const }
  const saved = async (more: object) => {
    const entity = await admin.design.load(at)
    return await captureLimitVerdict(
      admin.design.save({ ...at, body: { ...entity, buttons: [{ ...button, ...more }] } as never }),
    )
  }
  it('is refused with an unknown name in an expression', async () => {
    const eventContent = [{ do: 'refresh' }]
    expect(await saved({ eventContent, positionExp: 'process.env' })).toBe(
      '42200 buttons.extra.positionExp entity.E089',
    )
    expect(await saved({ eventContent, positionExp: "mode == 'view' && globalThis" })).toBe(
      '42200 buttons.extra.positionExp entity.E089',
    )
  })
  it('is refused with a script that is code', async () =>
    expect(await saved({ eventContent: 'fetch("https://evil.example")' })).toBe(
      '42200 buttons.extra.eventContent entity.E094',
    ))
  it.each(['javascript:alert(1)', '/\\evil.example', '//evil.example', '{id}:alert(1)'])(
    'is refused with an unsafe link: %s',
    async (linkUrl) => {
      const entity = await admin.design.load(at)
      const [first, ...fields] = entity.fields.filter(({ uiType }) => uiType === 'input')
      const body = {
        ...entity,
        fields: entity.fields.map((field) =>
          field === first ? { ...field, linkType: 1 as const, linkUrl } : field,
        ),
      }
      expect(fields.length).toBeGreaterThan(0)
      expect(await captureLimitVerdict(admin.design.save({ ...at, body }))).toBe(
        `42200 fields.${first?.attrName ?? ''}.linkUrl entity.E091`,
      )
    },
  )
})

describe('an address', () => {
  it.each([
    ['SYS_MENU', { name: '附加', path: 'javascript:alert(1)' }, 'path address'],
    ['SYS_MENU', { name: '附加', path: '//evil.example' }, 'path address'],
    ['SYS_APPLICATION', { clientId: 'portal', name: 'x', url: 'javascript:alert(1)' }, 'url Http'],
  ])('that is unsafe is not stored in %s: %j', async (tag, body, found) => {
    expect(await captureLimitVerdict(admin.entityData.create({ params: { tag }, body }))).toBe(
      `42200 ${found}`,
    )
  })
  it('that is unsafe is not stored in a field whose link is the value', async () => {
    const at = { params: { tag: 'EDU_FACULTY' } } as const
    const entity = await admin.design.load(at)
    const { attrName } = entity.fields.find(({ linkUrl }) => linkUrl === '{website}') ?? {}
    expect(attrName).toBe('website')
    await admin.design.save({
      ...at,
      body: {
        ...entity,
        fields: entity.fields.map((field) =>
          field.attrName === 'website' ? { ...field, valids: {} } : field,
        ),
      },
    })
    const { records } = await admin.entityData.page({ ...at, body: { queries: {}, pageSize: 1 } })
    const id = records[0]?.id ?? ''
    const row = await admin.entityData.get({ params: { ...at.params, id } })
    const stored = (website: string) =>
      captureLimitVerdict(
        admin.entityData.update({
          params: { ...at.params, id },
          body: { website, version: row['version'] },
        }),
      )
    expect(await stored('javascript:alert(1)')).toBe('42200 website address')
    expect(await stored('data:text/html,x')).toBe('42200 website address')
    expect(await stored('https://school.example')).toBe('allowed')
  })
})

it('exports of one person are counted by the hour, and told in the figures', async () => {
  const viewer = await app.signIn('admin')
  const run = async () => {
    const response = await app.call('/entity/EDU_COURSE/data/export', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `bearer ${viewer.token}` },
      body: JSON.stringify({ pageSize: 1, pageNum: 1, queries: {}, format: 'csv' }),
    })
    await response.text()
    return response.status
  }
  expect([await run(), await run(), await run()]).toEqual([200, 200, 429])
  const figures = await (await app.fetch(new Request('http://jiaowu.test/metrics'))).text()
  expect(figures).toMatch(/jiaowu_limit_reached_total\{limit="exports"\} \d/)
})
