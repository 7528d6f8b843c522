import { ApiProblem, type Problem, type UserInfo } from '@jiaowu/api'
import { type Issued, sessionMachine } from '@jiaowu/machines'
import { bare, modelSpec } from '../model/index.ts'

const user = (id: string): UserInfo => ({ id, account: `a${id}`, name: `甲${id}`, roles: [], mustChangePassword: false, tenant: '10000', org: null })
const problem = (kind: Problem['kind'], code: number, data: unknown = null): ApiProblem => new ApiProblem({ kind, code, message: `m${code}`, issues: [], data, traceId: null })
const facts = (token: string, refreshToken: string | null = 'r') => ({ version: 1 as const, token, refreshToken, expiresAt: 1_000 })
const issued = (id: string): Issued => ({ facts: facts(`t${id}`), tokens: { access_token: `t${id}`, refresh_token: 'r', expires_in: 1800, token_type: 'bearer', userInfo: user(id) } })
const profile = (id: string) => ({ user: user(id), menu: [], permissions: [`p${id}`] })

/** What is seen of a session: written apart from the machine's view. */
export interface SessionSeen { readonly at: string; readonly person: string | null; readonly token: string | null; readonly problem: number | null; readonly picture: string | null; readonly ended: number | null; readonly offers: string }
const offered = ['session.signOut', 'session.invalid', 'token.stale', 'reminder.confirm', 'reminder.leave', 'profile.retry', 'profile.reload'] as const

export const sessionModel = modelSpec({
  machine: sessionMachine,
  input: { stored: () => ({ facts: facts('stored') }), once: () => ({ facts: facts('once', null) }), none: () => ({ facts: null }) },
  events: {
    'session.signIn': { form: { account: 'a', password: 'p', tenant: '', captcha: '' } },
    'session.signOut': bare,
    'session.invalid': { expired: { problem: problem('session', 40001).problem } },
    'token.stale': bare,
    'reminder.confirm': bare,
    'reminder.leave': bare,
    'profile.retry': bare,
    'profile.reload': bare,
    'storage.changed': { gone: { facts: null }, other: { facts: facts('other') } },
  },
  outcomes: {
    signIn: { first: { ok: true, output: issued('1') }, second: { ok: true, output: issued('2') }, refused: { ok: false, error: problem('refused', 400) }, picture: { ok: false, error: problem('refused', 400, { captchaKey: 'k' }) }, network: { ok: false, error: problem('transport', 0) } },
    refresh: { fresh: { ok: true, output: issued('1') }, reused: { ok: false, error: problem('session', 40008) }, network: { ok: false, error: problem('transport', 0) } },
    signOut: { done: { ok: true, output: undefined }, network: { ok: false, error: problem('transport', 0) } },
    loadProfile: { first: { ok: true, output: profile('1') }, second: { ok: true, output: profile('2') }, ended: { ok: false, error: problem('session', 40000) }, broken: { ok: false, error: problem('refused', 500) } },
  },
  sneak: 'all',
  key: (s) => JSON.stringify([s.value, s.context.facts?.token ?? null, s.context.facts?.refreshToken ?? null, s.context.profile?.user.id ?? null, s.context.problem?.code ?? null, s.context.captchaKey, s.context.ended?.code ?? null, s.context.attempt === null]),
  project: (s): SessionSeen => ({
    at: JSON.stringify(s.value) + [...s.tags].sort().join(), person: s.context.profile?.user.id ?? null, token: s.context.facts?.token ?? null, problem: s.context.problem?.code ?? null, picture: s.context.captchaKey, ended: s.context.ended?.code ?? null,
    offers: offered.filter((type) => s.can(type === 'session.invalid' ? { type, problem: problem('session', 1).problem } : { type })).join(),
  }),
})
