import type { UserInfo } from '@jiaowu/api/contract/session'
import type { Issued } from '@jiaowu/machines/session/ports'
import { sessionMachine } from '@jiaowu/machines/session/machine'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { sessionRules } from './rules.ts'
import { apiProblem, answerFailure } from '../problems.ts'
const offline = answerFailure(0, { kind: 'transport' })

/** The observation of a session, written apart from the machine's view. */
export interface SessionSeen {
  readonly at: string
  readonly person: string | null
  readonly permissions: string
  readonly token: string | null
  readonly problem: number | null
  readonly picture: string | null
  readonly factor: string | null
  readonly ended: number | null
  readonly offers: string
}
const askedFactor = { factor: { token: 'step', kinds: ['totp', 'recovery'] } }
const offered = [
  'factor.leave',
  'session.signOut',
  'session.invalid',
  'token.stale',
  'reminder.confirm',
  'reminder.leave',
  'profile.retry',
  'profile.reload',
] as const

export const sessionModel = modelSpec({
  machine: sessionMachine,
  input: {
    stored: () => ({ facts: facts('stored') }),
    once: () => ({ facts: facts('once', null) }),
    none: () => ({ facts: null }),
  },
  events: {
    'session.signIn': { form: { account: 'a', password: 'p', tenant: '', captcha: 'c' } },
    'factor.answer': {
      totp: { kind: 'totp', code: '123456', remember: false },
      recovery: { kind: 'recovery', code: 'abcd', remember: true },
    },
    'factor.leave': bare,
    'session.signOut': bare,
    'session.invalid': { expired: { problem: apiProblem(40001, { kind: 'session' }).problem } },
    'token.stale': bare,
    'reminder.confirm': bare,
    'reminder.leave': bare,
    'profile.retry': bare,
    'profile.reload': bare,
    'storage.changed': {
      gone: { facts: null },
      unsaved: { facts: null, unsaved: true },
      other: { facts: facts('new') },
    },
  },
  outcomes: {
    signIn: {
      first: { ok: true, output: issueModelSession('1') },
      second: { ok: true, output: issueModelSession('2') },
      picture: answerFailure(400, { data: { captchaKey: 'k' } }),
      asked: answerFailure(40101, { data: askedFactor }),
      wrongCode: answerFailure(400, { data: askedFactor }),
      offline,
    },
    refresh: {
      fresh: { ok: true, output: issueModelSession('1') },
      reused: answerFailure(40001, { kind: 'session' }),
      offline,
    },
    signOut: { done: { ok: true, output: undefined }, offline },
    loadProfile: {
      first: { ok: true, output: profile('1') },
      promoted: { ok: true, output: profile('1', 'more') },
      second: { ok: true, output: profile('2') },
      ended: answerFailure(40001, { kind: 'session' }),
      offline,
    },
  },
  unhandled: 'all',
  // The token and whether it can be refreshed, who it is, and what is shown of the last refusal.
  key: (s) =>
    JSON.stringify([
      s.value,
      s.context.facts?.token ?? null,
      s.context.profile?.permissions ?? null,
      s.context.problem?.code ?? null,
      s.context.captchaKey,
      s.context.factor?.token ?? null,
      s.context.ended !== null,
    ]),
  project: (s): SessionSeen => ({
    at: JSON.stringify(s.value) + [...s.tags].sort().join(),
    person: s.context.profile?.user.id ?? null,
    permissions: (s.context.profile?.permissions ?? []).join(),
    token: s.context.facts?.token ?? null,
    problem: s.context.problem?.code ?? null,
    picture: s.context.captchaKey,
    factor: s.context.factor?.kinds.join() ?? null,
    ended: s.context.ended?.code ?? null,
    offers: offered
      .filter((type) =>
        s.can(
          type === 'session.invalid'
            ? { type, problem: apiProblem(1, { kind: 'session' }).problem }
            : { type },
        ),
      )
      .join(),
  }),
})

function facts(token: string, refreshToken: string | null = 'r') {
  return {
    version: 1 as const,
    token,
    refreshToken,
    expiresAt: 1_800_000,
  }
}

function issueModelSession(id: string): Issued {
  return {
    facts: facts('new'),
    tokens: {
      access_token: 'new',
      refresh_token: 'r',
      expires_in: 1800,
      token_type: 'bearer',
      userInfo: user(id),
    },
  }
}

function user(id: string): UserInfo {
  return {
    id,
    account: `a${id}`,
    name: `甲${id}`,
    roles: [],
    mustChangePassword: false,
    tenant: '10000',
    org: null,
  }
}

function profile(id: string, ...permissions: readonly string[]) {
  return {
    user: user(id),
    menu: [],
    permissions: [`p${id}`, ...permissions],
  }
}

export const sessionModels: MachineModel<SessionSeen> = {
  parts: { session: sessionModel },
  rules: sessionRules,
}
interface Concern {
  readonly starts: readonly string[]
  readonly events: readonly string[]
  readonly signIn?: readonly string[]
  readonly loadProfile: readonly string[]
}
/**
 * The session one concern at a time, for surfaces on which the whole product of token and profile
 * takes minutes. Together they take every transition (the test of this model holds them to it); the
 * product itself is walked on the bare machine.
 */
export const sessionConcerns: MachineModel<SessionSeen> = {
  ...sessionModels,
  parts: {
    once: buildSessionConcern({
      starts: ['once'],
      events: ['token.stale', 'session.invalid', 'session.signOut'],
      loadProfile: ['first'],
    }),
    coming: buildSessionConcern({
      starts: ['none', 'stored'],
      events: ['session.signIn', 'session.signOut', 'profile.retry', 'storage.changed'],
      signIn: ['first', 'picture', 'offline'],
      loadProfile: ['first', 'ended', 'offline'],
    }),
    staying: buildSessionConcern({
      starts: ['stored'],
      events: [
        'token.stale',
        'session.invalid',
        'profile.reload',
        'reminder.leave',
        'session.signOut',
      ],
      loadProfile: ['first', 'promoted', 'second', 'ended', 'offline'],
    }),
    asked: buildSessionConcern({
      starts: ['none'],
      events: ['session.signIn', 'factor.answer', 'factor.leave', 'storage.changed'],
      signIn: ['first', 'asked', 'wrongCode', 'offline'],
      loadProfile: ['first'],
    }),
    askedAgain: buildSessionConcern({
      starts: ['stored'],
      events: [
        'session.invalid',
        'reminder.confirm',
        'session.signIn',
        'factor.answer',
        'factor.leave',
      ],
      signIn: ['first', 'asked', 'wrongCode'],
      loadProfile: ['first'],
    }),
    again: buildSessionConcern({
      starts: ['stored'],
      events: [
        'session.invalid',
        'reminder.confirm',
        'reminder.leave',
        'session.signIn',
        'storage.changed',
      ],
      signIn: ['first', 'second', 'picture', 'offline'],
      loadProfile: ['first', 'second', 'offline'],
    }),
  },
}

function buildSessionConcern({
  starts,
  events,
  signIn = [],
  loadProfile,
}: Concern): typeof sessionModel {
  return {
    ...sessionModel,
    input: pickEntries(sessionModel.input, starts) as typeof sessionModel.input,
    events: Object.fromEntries(
      Object.entries(sessionModel.events).map(([type, samples]) => [
        type,
        events.includes(type) ? samples : {},
      ]),
    ),
    outcomes: {
      ...sessionModel.outcomes,
      signIn: pickEntries(sessionModel.outcomes.signIn ?? {}, signIn) as never,
      loadProfile: pickEntries(sessionModel.outcomes.loadProfile ?? {}, loadProfile) as never,
    },
  }
}

function pickEntries(all: object, names: readonly string[]) {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}
