import { describe, expect, it } from 'vitest'
import { ApiProblem, proofHeader, proofNeededCode } from '../problem.ts'
import { createClient } from './client.ts'
import { createFreshProof } from './fresh-proof.ts'

const replyWithJson = (status: number, body: object) =>
  new Response(JSON.stringify({ msg: '', traceId: 't', data: null, ...body }), {
    status,
    headers: { 'content-type': 'application/json' },
  })
const replyProofNeeded = () =>
  replyWithJson(403, { success: false, code: proofNeededCode, msg: 'prove' })
const ask = { params: { tag: 'A', id: '1' }, body: { field: 'f', reason: 'why so' } } as const

/** A server that takes a token once, and a client whose user is asked by `proof`. */
function surface(good: readonly string[]) {
  const proof = createFreshProof()
  const left = new Set(good)
  let isProven = false
  const seen: (string | null)[] = []
  const api = createClient({
    baseURL: 'http://school.test/api',
    locale: () => 'en',
    authorise: () => Promise.resolve({ token: 'T', account: 'a', accountId: '1' }),
    reauthenticate: () => proof.ask(),
    fetch: (input, init) => {
      const token = new Request(input, init).headers.get(proofHeader)
      seen.push(token)
      isProven ||= token !== null && left.delete(token)
      const data = { value: 'v', seconds: 60 }
      return Promise.resolve(
        isProven ? replyWithJson(200, { success: true, code: 200, data }) : replyProofNeeded(),
      )
    },
  })
  return { api, proof, seen }
}
const readProblemCode = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => (error instanceof ApiProblem ? error.problem.code : error),
  )
const waitForRequests = async () => {
  for (let n = 0; n < 50; n += 1) await Promise.resolve()
  await new Promise((resolve) => {
    setTimeout(resolve, 5)
  })
}

describe('a call that needs a fresh proof', () => {
  it('waits for the user and is repeated with the token', async () => {
    const { api, proof, seen } = surface(['P'])
    const states: boolean[] = []
    proof.subscribe(() => states.push(proof.isAsking()))
    const call = api.entityData.reveal(ask)
    await waitForRequests()
    expect(proof.isAsking()).toBe(true)
    proof.answer('P')
    expect(await call).toEqual({ value: 'v', seconds: 60 })
    expect([seen, states]).toEqual([
      [null, 'P'],
      [true, false],
    ])
  })
  it('shares one question with the calls that come meanwhile', async () => {
    const { api, proof, seen } = surface(['P'])
    const calls = [api.entityData.reveal(ask), api.entityData.reveal(ask)]
    await waitForRequests()
    proof.answer('P')
    expect(await Promise.all(calls.map(readProblemCode))).toEqual([null, null])
    expect(seen).toEqual([null, null, 'P', 'P'])
  })
  it('asks again for a token that the server does not take, and is refused when the user declines', async () => {
    const { api, proof, seen } = surface(['P'])
    const call = readProblemCode(api.entityData.reveal(ask))
    await waitForRequests()
    proof.answer('old')
    await waitForRequests()
    expect(proof.isAsking()).toBe(true)
    proof.answer(null)
    expect([await call, seen]).toEqual([proofNeededCode, [null, 'old']])
  })
  it('is not repeated after the caller has gone', async () => {
    const { api, proof, seen } = surface(['P'])
    const leave = new AbortController()
    const call = readProblemCode(api.entityData.reveal({ ...ask, signal: leave.signal }))
    await waitForRequests()
    leave.abort(new Error('gone'))
    proof.answer('P')
    expect([await call, seen]).toEqual([new Error('gone'), [null]])
  })
  it('is one whose contract says so: others are refused at once', async () => {
    const { api, proof } = surface([])
    expect(await readProblemCode(api.session.whoami({}))).toBe(proofNeededCode)
    expect(proof.isAsking()).toBe(false)
  })
})
