// Sign-in of a device by a browser (docs/rules/security.md#s7, RFC 8628).
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

let app: TestApp
let person: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())
const second = 1000
beforeEach(async () => {
  app.advance(16 * 60 * second)
  person = await app.signIn('registrar')
})

const start = () => app.client('').device.start({})
const poll = (deviceCode: string) => app.client('').device.poll({ body: { deviceCode } })
async function captureDeviceProblem(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof ApiProblem ? error.problem : null
}
const capturePollError = async (deviceCode: string) =>
  (await captureDeviceProblem(poll(deviceCode)))?.data as
    | { error: string; interval: number }
    | undefined
const decide = (userCode: string, agree: boolean) =>
  person.device.decide({ body: { userCode, agree } })

it('gives a device a session of the person who agrees, once', async () => {
  const { deviceCode, userCode, verificationPath, expiresIn, interval } = await start()
  expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  expect([verificationPath, expiresIn, interval]).toEqual(['/#/device', 600, 5])
  expect(await capturePollError(deviceCode)).toEqual({
    error: 'authorization_pending',
    interval: 5,
  })
  // As a person types it.
  const typed = userCode.toLowerCase().replace('-', ' ')
  const found = await person.device.look({ body: { userCode: typed } })
  expect(found).toMatchObject({ sameAddress: true })
  await decide(typed, true)
  app.advance(5 * second)
  const tokens = await poll(deviceCode)
  expect(tokens.userInfo.account).toBe('registrar')
  const device = app.client(tokens.access_token)
  const [own] = await device.ownSessions.list({})
  expect(own).toMatchObject({ by: 'device', current: true })
  expect(await capturePollError(deviceCode)).toMatchObject({ error: 'expired_token' })
  // The code was decided.
  expect((await captureDeviceProblem(decide(userCode, true)))?.code).toBe(404)
})

it('tells a device that it was refused, that it asks too often, or that its time is over', async () => {
  const refused = await start()
  await decide(refused.userCode, false)
  expect(await capturePollError(refused.deviceCode)).toMatchObject({ error: 'access_denied' })
  const hasty = await start()
  expect(await capturePollError(hasty.deviceCode)).toMatchObject({ error: 'authorization_pending' })
  app.advance(2 * second)
  expect(await capturePollError(hasty.deviceCode)).toEqual({ error: 'slow_down', interval: 10 })
  app.advance(7 * second)
  expect(await capturePollError(hasty.deviceCode)).toEqual({ error: 'slow_down', interval: 15 })
  app.advance(15 * second)
  expect(await capturePollError(hasty.deviceCode)).toEqual({
    error: 'authorization_pending',
    interval: 15,
  })
  app.advance(600 * second)
  expect(await capturePollError(hasty.deviceCode)).toMatchObject({ error: 'expired_token' })
  expect((await captureDeviceProblem(decide(hasty.userCode, true)))?.code).toBe(404)
  expect(await capturePollError('unknown')).toMatchObject({ error: 'expired_token' })
})

it('lets nobody find codes by trying, and stores no code of a device readable', async () => {
  const { deviceCode } = await start()
  const rows = await app.services.database.kysely
    .selectFrom('sys.device_code')
    .selectAll()
    .execute()
  expect(JSON.stringify(rows)).not.toContain(deviceCode)
  const codes: (number | undefined)[] = []
  for (let n = 0; n < 11; n += 1)
    codes.push(
      (await captureDeviceProblem(person.device.look({ body: { userCode: 'BBBB-BBBB' } })))?.code,
    )
  expect(codes).toEqual([...Array.from({ length: 10 }, () => 404), 429])
})

it('is as fresh as the person who agreed: a session cannot renew its own proof', async () => {
  app.advance(3600 * second)
  person = await app.signIn('registrar')
  app.advance(25 * 60 * second)
  const first = await start()
  await decide(first.userCode, true)
  const device = await poll(first.deviceCode)
  const rows = await app.services.database.kysely
    .selectFrom('sys.session')
    .select(['proved_at', 'began_at', 'proof_by'])
    .where('proof_by', '=', 'device')
    .orderBy('began_at', 'desc')
    .limit(1)
    .execute()
  const [row] = rows
  const minutes = (Date.parse(row?.began_at ?? '') - Date.parse(row?.proved_at ?? '')) / 60_000
  expect(Math.floor(minutes)).toBe(25)
  // After the hour of the password, the device may not let in another one.
  app.advance(29 * 60 * second)
  const next = await app.client('').session.signIn({
    body: { grant_type: 'refresh_token', refresh_token: device.refresh_token },
  })
  app.advance(7 * 60 * second)
  const other = await start()
  const body = { userCode: other.userCode, agree: true }
  const late = await captureDeviceProblem(app.client(next.access_token).device.decide({ body }))
  expect(late?.code).toBe(40310)
  expect(await capturePollError(other.deviceCode)).toMatchObject({ error: 'authorization_pending' })
})

it('gives a disabled account nothing, although somebody has agreed', async () => {
  const { deviceCode, userCode } = await start()
  await decide(userCode, true)
  const { kysely } = app.services.database
  const set = (status: string) =>
    kysely
      .updateTable('sys.app_user')
      .set({ status })
      .where('tenant_id', '=', '10000')
      .where('account', '=', 'registrar')
      .execute()
  await set('0')
  expect(await capturePollError(deviceCode)).toMatchObject({ error: 'access_denied' })
  await set('1')
  expect(await capturePollError(deviceCode)).toMatchObject({ error: 'expired_token' })
})

it('lets a device that a browser let in prove its person by a browser, no fresher than that', async () => {
  const first = await start()
  await decide(first.userCode, true)
  let tokens = await poll(first.deviceCode)
  /** Time goes by, and the device renews its tokens. */
  const pass = async (minutes: number) => {
    app.advance(minutes * 60 * second)
    const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token } as const
    tokens = await app.client('').session.signIn({ body })
  }
  /** An act that wants a proof: it lets another device in. */
  const act = async (reauth?: string) => {
    const { userCode } = await start()
    const response = await app.call('/auth/device/decide', {
      method: 'POST',
      headers: {
        authorization: `bearer ${tokens.access_token}`,
        'content-type': 'application/json',
        ...(reauth !== undefined && { 'x-reauth': reauth }),
      },
      body: JSON.stringify({ userCode, agree: true }),
    })
    return (await response.json()) as { code: number; data: { kinds?: string[] } | null }
  }
  await pass(61)
  expect(await act()).toMatchObject({ code: 40310, data: { kinds: ['device', 'password'] } })
  person = await app.signIn('registrar')
  await pass(25)
  const device = app.client(tokens.access_token)
  const { deviceCode, userCode } = await device.device.startProof({})
  const viewer = await app.signIn('viewer')
  const ofOther = viewer.device.look({ body: { userCode } })
  expect((await captureDeviceProblem(ofOther))?.code).toBe(404)
  expect(await person.device.look({ body: { userCode } })).toMatchObject({ proves: true })
  await decide(userCode, true)
  // Neither a sign-in nor a proof for another session.
  expect(await capturePollError(deviceCode)).toMatchObject({ error: 'expired_token' })
  const elsewhere = person.device.pollProof({ body: { deviceCode } })
  expect((await captureDeviceProblem(elsewhere))?.data).toMatchObject({ error: 'expired_token' })
  const proof = await device.device.pollProof({ body: { deviceCode } })
  expect((await act(proof.token)).code).toBe(200)
  // The proof of the browser counts for an hour, and its use on the device did not renew it.
  await pass(25)
  expect((await act()).code).toBe(200)
  await pass(15)
  expect((await act()).code).toBe(40310)
  expect((await act(proof.token)).code).toBe(40310)
})
