import { ApiProblem } from '@jiaowu/api/problem'
import { limits } from '@jiaowu/api/limits'
import type { UserInfo } from '@jiaowu/api/contract/session'
import { describe, expect, test } from 'vitest'
import { createActor } from 'xstate'
import { createSessionGate } from './session-gate.ts'
import { sessionMachine } from './machine.ts'
import { type Issued, sessionActors, type SessionFacts, type SessionPorts } from './ports.ts'
import { sessionView } from './view.ts'

const user: UserInfo = {
  id: '1',
  account: 'a',
  name: '甲',
  roles: [],
  mustChangePassword: false,
  tenant: '10000',
  org: null,
}
function facts(token: string, expiresAt: number, refreshToken: string | null = 'r'): SessionFacts {
  return { version: 1, token, refreshToken, expiresAt }
}
function issueToken(token: string, expiresAt: number): Issued {
  return {
    facts: facts(token, expiresAt),
    tokens: {
      access_token: token,
      refresh_token: 'r',
      expires_in: 1,
      token_type: 'bearer',
      userInfo: user,
    },
  }
}
function buildSessionProblem() {
  return new ApiProblem({
    kind: 'session',
    code: 40001,
    message: '登录已过期',
    issues: [],
    data: null,
    traceId: null,
  })
}
/** Resolves after the promise chains of pending calls. */
async function waitForCalls() {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
}

/**
 * A session whose calls go through its own gate, as the client's do; the server accepts only the
 * token `good`.
 */
function surface(stored: SessionFacts | null, now: () => number, more: Partial<SessionPorts> = {}) {
  const calls: string[] = []
  const box: { gate?: ReturnType<typeof createSessionGate> } = {}
  const authorised = async (name: string) => {
    const credentials = await box.gate?.authorise()
    calls.push(`${name} ${credentials?.token ?? '-'}`)
    if (credentials?.token !== 'good') throw buildSessionProblem()
  }
  const actor = createActor(
    sessionMachine.provide({
      actors: sessionActors({
        signIn: () => Promise.resolve(issueToken('good', 1e9)),
        refresh: ({ refreshToken }) => {
          calls.push(`refresh ${refreshToken}`)
          return Promise.resolve(issueToken('good', 1e9))
        },
        signOut: () => Promise.resolve(),
        loadProfile: async () => {
          await Promise.all([authorised('whoami'), authorised('menu')])
          return { user, menu: [], permissions: [] }
        },
        ...more,
      }),
    }),
    { input: { facts: stored } },
  )
  const gate = createSessionGate(actor, now)
  box.gate = gate
  actor.start()
  return { actor, gate, calls }
}

describe('the session gate', () => {
  test('a reload after the token ended, with a refresh token that is still good, goes on without signing in', async () => {
    const { actor, calls } = surface(facts('old', 1_000), () => 2_000)
    await waitForCalls()
    expect(sessionView(actor.getSnapshot()).step).toBe('active')
    expect(calls).toEqual(['refresh r', 'whoami good', 'menu good'])
  })

  test('refreshes once for any number of parallel calls, when less than 5 minutes are left', async () => {
    let now = 0
    const { actor, gate, calls } = surface(facts('good', limits.refreshThreshold + 10), () => now)
    await waitForCalls()
    expect(calls.splice(0)).toEqual(['whoami good', 'menu good'])
    now = 10
    expect(await gate.authorise()).toMatchObject({ token: 'good', account: 'a', accountId: '1' })
    expect(calls).toEqual([])
    now = 11
    const tokens = await Promise.all(Array.from({ length: 20 }, () => gate.authorise()))
    expect(new Set(tokens.map((each) => each?.token))).toEqual(new Set(['good']))
    expect(calls).toEqual(['refresh r'])
    expect(actor.getSnapshot().context.facts?.expiresAt).toBe(1e9)
  })

  test('without a refresh token the calls go with the token there is', async () => {
    const { gate, calls } = surface(facts('good', 5, null), () => 0)
    await waitForCalls()
    expect((await gate.authorise())?.token).toBe('good')
    expect(calls).toEqual(['whoami good', 'menu good'])
  })

  test('a refresh the network swallows leaves the old token in use; the next call tries again', async () => {
    let tries = 0
    const { actor, gate } = surface(facts('good', 5), () => 0, {
      refresh: () => {
        tries += 1
        return Promise.reject(new TypeError('offline'))
      },
    })
    await waitForCalls()
    const before = tries
    expect((await gate.authorise())?.token).toBe('good')
    expect(tries).toBe(before + 1)
    expect(sessionView(actor.getSnapshot()).step).toBe('active')
  })

  test('a refresh the server refuses ends the session over the page, with its sentence', async () => {
    let now = 0
    const { actor, gate } = surface(facts('good', limits.refreshThreshold), () => now, {
      refresh: () => Promise.reject(buildSessionProblem()),
    })
    await waitForCalls()
    now = 1
    await gate.authorise()
    const view = sessionView(actor.getSnapshot())
    expect([view.step, view.over, view.user?.name]).toEqual([
      'over',
      { stage: 'reminder', ended: buildSessionProblem().problem },
      '甲',
    ])
  })

  test('a call refused while the token is refreshed does not end the session: the refresh decides', async () => {
    let answer = (_issued: Issued) => {}
    const { actor, gate } = surface(facts('good', limits.refreshThreshold), () => 1, {
      refresh: () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    })
    await waitForCalls()
    const waiting = gate.authorise()
    await waitForCalls()
    actor.send({ type: 'session.invalid', problem: buildSessionProblem().problem })
    answer(issueToken('good', 1e9))
    expect((await waiting)?.token).toBe('good')
    await waitForCalls()
    expect(sessionView(actor.getSnapshot()).step).toBe('active')
  })

  test('sends no request without credentials when no user is signed in', async () => {
    const { gate, calls } = surface(null, () => 0)
    expect(await gate.authorise()).toBeUndefined()
    expect(calls).toEqual([])
  })
})
