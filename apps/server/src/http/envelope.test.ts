import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import pg from 'pg'
import { expect, it } from 'vitest'
import { Invalid, notFound, Refusal, stale } from '../platform/refusal.ts'
import { FileMissing, FilesUnavailable } from '../platform/files/driver.ts'
import { StorageFull } from '../platform/database/embedded/free-space.ts'
import { fail, succeed, succeedCompressed } from './envelope.ts'

const logged: unknown[] = []
const log = {
  error: (line: unknown) => {
    logged.push(line)
  },
} as unknown as Parameters<typeof fail>[2]
async function answerFailure(error: unknown, locale: 'zh-CN' | 'en' = 'en') {
  const response = fail(error, { ip: '', locale, traceId: 'trace' }, log)
  return {
    status: response.status,
    retry: response.headers.get('retry-after'),
    ...((await response.json()) as {
      success: boolean
      code: number
      msg: string
      data: unknown
      traceId: string
    }),
  }
}
function createDatabaseError(code: string) {
  return Object.assign(
    new pg.DatabaseError('duplicate key value violates "student_pkey"', 0, 'error'),
    {
      code,
      detail: 'Key (id)=(1) exists',
    },
  )
}

it('answers refusals with their message in the language of the request', async () => {
  expect(await answerFailure(notFound())).toEqual({
    status: 404,
    retry: null,
    success: false,
    code: 404,
    msg: 'Sorry, resource not found',
    data: null,
    traceId: 'trace',
  })
  expect(await answerFailure(stale({ id: '1' }), 'zh-CN')).toMatchObject({
    status: 409,
    code: 40900,
    msg: '数据已被他人修改，请核对后再保存',
    data: { id: '1' },
  })
  expect(
    await answerFailure(
      new Invalid([{ path: 'name', rule: 'required', message: { key: 'rule.required' } }]),
    ),
  ).toMatchObject({
    status: 422,
    code: 42200,
    data: { issues: [{ path: 'name', rule: 'required', msg: 'This input is required' }] },
  })
  expect(
    await answerFailure(new Refusal(429, { key: 'problem.tooMany' }, { retryAfter: 7 })),
  ).toMatchObject({ status: 429, retry: '7' })
})
it.each([
  ['a unique constraint', createDatabaseError('23505'), 409],
  ['a foreign key', createDatabaseError('23503'), 409],
  ['a full disk', new StorageFull('full'), 507],
  ['a lost connection', new Error('Connection terminated unexpectedly'), 503],
])('recognises %s', async (_name, error, status) => {
  const reply = await answerFailure(error)
  expect(reply).toMatchObject({ status, success: false, code: status })
  expect(JSON.stringify(reply)).not.toMatch(/student|Key|duplicate|terminated/)
})
it('logs an unexpected error under the trace id, and answers without its text', async () => {
  const reply = await answerFailure(new TypeError('cannot read secret of undefined'))
  expect(reply).toEqual({
    status: 500,
    retry: null,
    success: false,
    code: 500,
    msg: 'Internal system error, contact the site administrator',
    data: null,
    traceId: 'trace',
  })
  expect(logged).toEqual([expect.objectContaining({ traceId: 'trace' })])
})
it.each([
  ['a missing file', new FileMissing('no such file'), 404],
  ['a failing store', new FilesUnavailable('S3 answered 403 AccessDenied'), 503],
])('logs the details of %s, and does not answer them', async (_name, error, status) => {
  logged.length = 0
  const reply = await answerFailure(error)
  expect([reply.status, JSON.stringify(reply).includes('S3'), logged]).toEqual([
    status,
    false,
    [{ err: error, traceId: 'trace' }],
  ])
})
it('puts the keys of a flat reply at both levels', async () => {
  expect(await succeed({ access_token: 'x' }, 'trace', true).json()).toEqual({
    success: true,
    code: 200,
    msg: '',
    data: { access_token: 'x' },
    access_token: 'x',
    traceId: 'trace',
  })
  expect(await succeed(undefined, 'trace').json()).toEqual({
    success: true,
    code: 200,
    msg: '',
    data: null,
    traceId: 'trace',
  })
})

const rows = Array.from({ length: 100 }, (_, id) => ({ id, name: '学生' }))
async function sendCompressed(accepted: string | null, data: unknown) {
  const { headers, ...response } = await succeedCompressed(accepted, data, 'trace').then(
    async (answered) => ({
      headers: answered.headers,
      bytes: Buffer.from(await answered.arrayBuffer()),
    }),
  )
  return {
    encoding: headers.get('content-encoding'),
    vary: headers.get('vary'),
    length: Number(headers.get('content-length')),
    type: headers.get('content-type'),
    ...response,
  }
}
it.each([
  ['gzip, deflate, br', 'gzip', gunzipSync],
  ['br', 'br', brotliDecompressSync],
  ['gzip;q=0, br;q=0.5', 'br', brotliDecompressSync],
] as const)('compresses an answer for %s', async (accepted, encoding, unpack) => {
  const plain = await succeed(rows, 'trace').text()
  const answered = await sendCompressed(accepted, rows)
  expect(answered).toMatchObject({
    encoding,
    vary: 'accept-encoding',
    length: answered.bytes.length,
    type: 'application/json; charset=utf-8',
  })
  expect(unpack(answered.bytes).toString()).toBe(plain)
  expect(answered.length).toBeLessThan(plain.length / 4)
})
it.each([
  ['for a caller that accepts none', null, rows],
  ['for a caller that refuses', 'gzip;q=0.000', rows],
  ['that is short', 'gzip', 'short'],
])('leaves an answer as it is %s', async (_name, accepted, data) => {
  const plain = Buffer.from(await succeed(data, 'trace').text())
  expect(await sendCompressed(accepted, data)).toMatchObject({
    encoding: null,
    length: plain.length,
    bytes: plain,
  })
})
