import { expect, it } from 'vitest'
import { createClient } from './client.ts'

const work = {
  parameters: {
    algorithm: 'PBKDF2/SHA-256',
    nonce: '00',
    salt: '00',
    cost: 1,
    keyLength: 32,
    keyPrefix: '00',
  },
}
const replyWithStatus = (status: number, data: unknown) =>
  new Response(JSON.stringify({ success: status === 200, code: status, msg: '', data }), {
    status,
    headers: { 'content-type': 'application/json' },
  })

/** A client of a server that gives the captchas `k1`, `k2`, … with work, and lists the headers of answers. */
function createCaptchaClient(solve: (signal: AbortSignal) => Promise<string>) {
  const headers: (string | null)[] = []
  let given = 0
  const api = createClient({
    baseURL: 'http://school.test/api',
    locale: () => 'en',
    authorise: () => Promise.resolve(undefined),
    solveWork: (_work, signal) => solve(signal),
    fetch: (input, init) => {
      const request = new Request(input, init)
      if (request.url.includes('/stuLogin/captcha'))
        return Promise.resolve(replyWithStatus(200, { key: `k${(given += 1)}`, image: '', work }))
      headers.push(request.headers.get('x-captcha-work'))
      return Promise.resolve(
        request.url.includes('/stuLogin/verify')
          ? replyWithStatus(200, { ticket: 't' })
          : replyWithStatus(400, { captchaKey: `s${headers.length}`, work }),
      )
    },
  })
  const verify = (key: string) => api.student.verify({ body: { key, verifyTxt: 'x' } })
  const signIn = (captchaKey?: string) =>
    api.session
      .signIn({
        body: {
          grant_type: 'password',
          username: 'a',
          password: 'b',
          ...(captchaKey === undefined ? {} : { captchaKey, captcha: 'x' }),
        },
      })
      .catch(() => undefined)
  return { api, headers, verify, signIn }
}

it('begins when the captcha comes, and sends the solution with its answer alone', async () => {
  let begun = 0
  const { api, headers, verify } = createCaptchaClient(() => {
    begun += 1
    return Promise.resolve('7.ab')
  })
  const { key } = await api.student.captcha({})
  expect(begun).toBe(1)
  await verify('another')
  await verify(key)
  expect(headers).toEqual([null, '7.ab'])
})

it('ends the work for an older captcha, and answers without what could not be solved', async () => {
  const signals: AbortSignal[] = []
  const { api, headers, verify } = createCaptchaClient((signal) => {
    signals.push(signal)
    return Promise.reject(new Error('no worker'))
  })
  await api.student.captcha({})
  const { key } = await api.student.captcha({})
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  await verify(key)
  expect(headers).toEqual([null])
})

it('works for the captcha of a refused sign-in too', async () => {
  const { headers, signIn } = createCaptchaClient(() => Promise.resolve('9.cd'))
  await signIn()
  await signIn('s1')
  await signIn('s1')
  await signIn('s3')
  expect(headers).toEqual([null, '9.cd', null, '9.cd'])
})
