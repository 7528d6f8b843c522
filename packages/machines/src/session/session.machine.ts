import { type Problem, problemOf } from '@jiaowu/api'
import { assign, emit, setup } from 'xstate'
import { unprovided } from '../port.ts'
import { type Issued, type Profile, type SessionFacts, sessionActors, type SessionPorts, type SignInInput } from './session.ports.ts'

export interface SessionContext {
  readonly facts: SessionFacts | null
  readonly profile: Profile | null
  /** Why the last try failed; shown where the person is. */
  readonly problem: Problem | null
  /** The picture the server asks for before the next try. */
  readonly captchaKey: string | null
  /** Why the session ended: the reminder's sentence (console spec §8). */
  readonly ended: Problem | null
  readonly attempt: SignInInput | null
}

export type SessionEvent =
  | ({ readonly type: 'session.signIn' } & Omit<SignInInput, 'captchaKey'>)
  | { readonly type: 'session.signOut' }
  /** A call was refused with a session-invalid code. */
  | { readonly type: 'session.invalid'; readonly problem: Problem }
  /** The token ends soon: refresh before the next call. */
  | { readonly type: 'token.stale' }
  | { readonly type: 'reminder.confirm' }
  /** From the reminder to the sign-in page, giving up what is open. */
  | { readonly type: 'reminder.leave' }
  | { readonly type: 'profile.retry' }
  /** The language changed, or rights may have: read the menu again. The page stays. */
  | { readonly type: 'profile.reload' }
  /** Another tab signed in, refreshed or signed out. */
  | { readonly type: 'storage.changed'; readonly facts: SessionFacts | null }

export type SessionEmitted =
  /** Keep these facts, or forget everything when null. */
  | { readonly type: 'facts'; readonly facts: SessionFacts | null }
  /** Somebody else signed in over the page: what is open belongs to the one before. */
  | { readonly type: 'personChanged' }

const captchaOf = ({ data }: Problem): string | null => {
  const key = typeof data === 'object' && data !== null && 'captchaKey' in data ? data.captchaKey : null
  return typeof key === 'string' ? key : null
}
const blank = { facts: null, profile: null, problem: null, captchaKey: null, ended: null, attempt: null } as const satisfies SessionContext

/**
 * One person's session (console spec §4): signed out, active with a token that is refreshed once for all calls, and expired,
 * where sign-in happens over the page and the person goes on where they were.
 */
export const sessionMachine = setup({
  types: {
    context: {} as SessionContext, events: {} as SessionEvent, emitted: {} as SessionEmitted,
    input: {} as { readonly facts: SessionFacts | null },
    children: {} as { signIn: 'signIn'; refresh: 'refresh'; signOut: 'signOut'; loadProfile: 'loadProfile' },
    tags: {} as 'busy' | 'signedOut' | 'active' | 'expired',
  },
  actors: sessionActors(unprovided<SessionPorts>()),
  guards: {
    hasFacts: ({ context }) => context.facts !== null,
    canRefresh: ({ context }) => (context.facts?.refreshToken ?? null) !== null,
    isSessionProblem: (_args, { error }: { error: unknown }) => problemOf(error).kind === 'session',
    isForgotten: (_args, { facts }: { facts: SessionFacts | null }) => facts === null,
    isOtherPerson: ({ context }, { profile }: { profile: Profile }) => context.profile !== null && context.profile.user.id !== profile.user.id,
    isSamePerson: ({ context }, { issued }: { issued: Issued }) => context.profile === null || context.profile.user.id === issued.tokens.userInfo.id,
  },
  actions: {
    rememberAttempt: assign({ attempt: ({ context, event }) => (event.type === 'session.signIn' ? { account: event.account, password: event.password, tenant: event.tenant, captcha: event.captcha, captchaKey: context.captchaKey } : context.attempt), problem: null }),
    take: assign((_args, { issued }: { issued: Issued }) => ({ facts: issued.facts, problem: null, captchaKey: null, attempt: null, ended: null })),
    takeFacts: assign((_args, { facts }: { facts: SessionFacts | null }) => ({ facts })),
    tellFacts: emit(({ context }) => ({ type: 'facts' as const, facts: context.facts })),
    tellNewPerson: emit({ type: 'personChanged' as const }),
    keepProfile: assign((_args, { profile }: { profile: Profile }) => ({ profile, problem: null })),
    keepProblem: assign((_args, { error }: { error: unknown }) => { const problem = problemOf(error); return { problem, captchaKey: captchaOf(problem), attempt: null } }),
    keepEnd: assign((_args, { problem }: { problem: Problem }) => ({ ended: problem, problem: null, captchaKey: null })),
    forgetAll: assign(() => blank),
  },
}).createMachine({
  id: 'session',
  context: ({ input }) => ({ ...blank, facts: input.facts }),
  initial: 'starting',
  on: {
    'storage.changed': [
      { guard: { type: 'isForgotten', params: ({ event }) => ({ facts: event.facts }) }, target: '.signedOut', actions: 'forgetAll' },
      { actions: { type: 'takeFacts', params: ({ event }) => ({ facts: event.facts }) } },
    ],
  },
  states: {
    starting: { always: [{ guard: 'hasFacts', target: 'loadingProfile' }, { target: 'signedOut' }] },
    signedOut: {
      tags: 'signedOut',
      on: {
        'session.signIn': { target: 'signingIn', actions: 'rememberAttempt' },
        'storage.changed': [
          { guard: { type: 'isForgotten', params: ({ event }) => ({ facts: event.facts }) } },
          { target: 'loadingProfile', actions: { type: 'takeFacts', params: ({ event }) => ({ facts: event.facts }) } },
        ],
      },
    },
    signingIn: {
      tags: ['signedOut', 'busy'],
      invoke: {
        id: 'signIn', src: 'signIn', input: ({ context }) => context.attempt as SignInInput,
        onDone: { target: 'loadingProfile', actions: [{ type: 'take', params: ({ event }) => ({ issued: event.output }) }, 'tellFacts'] },
        onError: { target: 'signedOut', actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    loadingProfile: {
      tags: 'busy',
      invoke: {
        id: 'loadProfile', src: 'loadProfile', input: ({ context }) => ({ token: context.facts?.token ?? '' }),
        onDone: [
          { guard: { type: 'isOtherPerson', params: ({ event }) => ({ profile: event.output }) }, target: 'active', actions: [{ type: 'keepProfile', params: ({ event }) => ({ profile: event.output }) }, 'tellNewPerson'] },
          { target: 'active', actions: { type: 'keepProfile', params: ({ event }) => ({ profile: event.output }) } },
        ],
        onError: [
          { guard: { type: 'isSessionProblem', params: ({ event }) => ({ error: event.error }) }, target: 'signedOut', actions: ['forgetAll', 'tellFacts'] },
          { target: 'profileFailed', actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) } },
        ],
      },
    },
    profileFailed: { on: { 'profile.retry': { target: 'loadingProfile' }, 'session.signOut': { target: 'signingOut' } } },
    active: {
      tags: 'active', initial: 'fresh',
      on: { 'session.signOut': { target: 'signingOut' }, 'profile.reload': { target: 'loadingProfile' }, 'session.invalid': { target: 'expired', actions: { type: 'keepEnd', params: ({ event }) => ({ problem: event.problem }) } } },
      states: {
        fresh: { on: { 'token.stale': { guard: 'canRefresh', target: 'refreshing' } } },
        refreshing: {
          invoke: {
            id: 'refresh', src: 'refresh', input: ({ context }) => ({ refreshToken: context.facts?.refreshToken ?? '' }),
            onDone: { target: 'fresh', actions: [{ type: 'take', params: ({ event }) => ({ issued: event.output }) }, 'tellFacts'] },
            onError: [
              { guard: { type: 'isSessionProblem', params: ({ event }) => ({ error: event.error }) }, target: '#session.expired', actions: { type: 'keepEnd', params: ({ event }) => ({ problem: problemOf(event.error) }) } },
              // The network failed, not the session: the old token may still be good.
              { target: 'fresh' },
            ],
          },
        },
      },
    },
    expired: {
      tags: 'expired', initial: 'reminder',
      on: {
        // Another tab signed in: its session is ours.
        'storage.changed': [
          { guard: { type: 'isForgotten', params: ({ event }) => ({ facts: event.facts }) }, target: 'signedOut', actions: 'forgetAll' },
          { target: 'loadingProfile', actions: { type: 'takeFacts', params: ({ event }) => ({ facts: event.facts }) } },
        ],
        'reminder.leave': { target: 'signedOut', actions: ['forgetAll', 'tellFacts'] }, 'session.invalid': {},
      },
      states: {
        reminder: { on: { 'reminder.confirm': { target: 'form' } } },
        form: { on: { 'session.signIn': { target: 'signingIn', actions: 'rememberAttempt' } } },
        signingIn: {
          tags: 'busy',
          invoke: {
            id: 'signIn', src: 'signIn', input: ({ context }) => context.attempt as SignInInput,
            onDone: [
              { guard: { type: 'isSamePerson', params: ({ event }) => ({ issued: event.output }) }, target: '#session.active', actions: [{ type: 'take', params: ({ event }) => ({ issued: event.output }) }, 'tellFacts'] },
              { target: '#session.loadingProfile', actions: [{ type: 'take', params: ({ event }) => ({ issued: event.output }) }, 'tellFacts'] },
            ],
            onError: { target: 'form', actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) } },
          },
        },
      },
    },
    signingOut: {
      tags: 'busy',
      invoke: {
        id: 'signOut', src: 'signOut', input: ({ context }) => ({ token: context.facts?.token ?? '' }),
        // Everything is forgotten even when the call fails (student spec §4).
        onDone: { target: 'signedOut', actions: ['forgetAll', 'tellFacts'] },
        onError: { target: 'signedOut', actions: ['forgetAll', 'tellFacts'] },
      },
    },
  },
  options: { maxIterations: 100 },
})
