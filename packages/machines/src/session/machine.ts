import { type Problem, problemOf } from '@jiaowu/api'
import { assign, emit, setup } from 'xstate'
import { unprovided } from '../port.ts'
import {
  type Issued,
  type Profile,
  type SessionFacts,
  sessionActors,
  type SessionPorts,
  type SignInInput,
} from './ports.ts'

export interface SessionContext {
  readonly facts: SessionFacts | null
  readonly profile: Profile | null
  /** Why the last try failed; shown where the person is. */
  readonly problem: Problem | null
  /** The picture the server asks for before the next try. */
  readonly captchaKey: string | null
  /** Why the session ended: the reminder's sentence (docs/spec/1-entity-console.md §8). */
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
const blank = {
  facts: null,
  profile: null,
  problem: null,
  captchaKey: null,
  ended: null,
  attempt: null,
} as const satisfies SessionContext

/**
 * One person's session (docs/spec/1-entity-console.md §4): signed out, present with a token that is
 * refreshed once for all calls, and expired,
 * where sign-in happens over the page and the person goes on where they were. While present, token
 * and profile are two matters:
 * the calls that read the profile wait for a refresh like all others.
 */
export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    emitted: {} as SessionEmitted,
    input: {} as { readonly facts: SessionFacts | null },
    children: {} as {
      signIn: 'signIn'
      refresh: 'refresh'
      signOut: 'signOut'
      loadProfile: 'loadProfile'
    },
    tags: {} as 'busy' | 'signedOut' | 'active' | 'expired' | 'refreshing',
  },
  actors: sessionActors(unprovided<SessionPorts>()),
  guards: {
    hasFacts: ({ context }) => context.facts !== null,
    canRefresh: ({ context }) => (context.facts?.refreshToken ?? null) !== null,
    isSessionProblem: (_args, { error }: { error: unknown }) => problemOf(error).kind === 'session',
    /** The session ended while somebody's page is open: it is kept. */
    endsOverPage: ({ context }, { error }: { error: unknown }) =>
      context.profile !== null && problemOf(error).kind === 'session',
    hasProfile: ({ context }) => context.profile !== null,
    isForgotten: (_args, { facts }: { facts: SessionFacts | null }) => facts === null,
    isTaken: (_args, { facts }: { facts: SessionFacts | null }) => facts !== null,
    isOtherProfile: ({ context }, { profile }: { profile: Profile }) =>
      context.profile?.user.id !== profile.user.id,
    isSamePerson: ({ context }, { issued }: { issued: Issued }) =>
      context.profile?.user.id === issued.tokens.userInfo.id,
  },
  actions: {
    rememberAttempt: assign({
      attempt: ({ context, event }) =>
        event.type === 'session.signIn'
          ? {
              account: event.account,
              password: event.password,
              tenant: event.tenant,
              captcha: event.captcha,
              captchaKey: context.captchaKey,
            }
          : context.attempt,
      problem: null,
    }),
    take: assign((_args, { issued }: { issued: Issued }) => ({
      facts: issued.facts,
      problem: null,
      captchaKey: null,
      attempt: null,
      ended: null,
    })),
    takeFacts: assign((_args, { facts }: { facts: SessionFacts | null }) => ({
      facts,
      attempt: null,
    })),
    tellFacts: emit(({ context }) => ({ type: 'facts' as const, facts: context.facts })),
    tellNewPerson: emit({ type: 'personChanged' as const }),
    keepProfile: assign((_args, { profile }: { profile: Profile }) => ({
      profile,
      problem: null,
      ended: null,
    })),
    forgetProfile: assign({ profile: null }),
    keepProblem: assign((_args, { error }: { error: unknown }) => {
      const problem = problemOf(error)
      return { problem, captchaKey: captchaOf(problem), attempt: null }
    }),
    keepEnd: assign((_args, { problem }: { problem: Problem }) => ({
      ended: problem,
      problem: null,
      captchaKey: null,
    })),
    forgetAll: assign(() => blank),
  },
}).createMachine({
  id: 'session',
  context: ({ input }) => ({ ...blank, facts: input.facts }),
  initial: 'starting',
  states: {
    starting: { always: [{ guard: 'hasFacts', target: 'present' }, { target: 'signedOut' }] },
    signedOut: {
      tags: 'signedOut',
      on: {
        'session.signIn': { target: 'signingIn', actions: 'rememberAttempt' },
        'storage.changed': {
          guard: { type: 'isTaken', params: ({ event }) => event },
          target: 'present',
          actions: { type: 'takeFacts', params: ({ event }) => event },
        },
      },
    },
    signingIn: {
      tags: ['signedOut', 'busy'],
      on: {
        'storage.changed': {
          guard: { type: 'isTaken', params: ({ event }) => event },
          target: 'present',
          actions: { type: 'takeFacts', params: ({ event }) => event },
        },
      },
      invoke: {
        id: 'signIn',
        src: 'signIn',
        input: ({ context }) => context.attempt as SignInInput,
        onDone: {
          target: 'present',
          actions: [
            { type: 'take', params: ({ event }) => ({ issued: event.output }) },
            'tellFacts',
          ],
        },
        onError: {
          target: 'signedOut',
          actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    present: {
      type: 'parallel',
      on: {
        'session.signOut': { target: 'signingOut' },
        // Another tab signed out, refreshed, or signed in, perhaps as somebody else: a refresh of
        // ours would undo it.
        'storage.changed': [
          {
            guard: { type: 'isForgotten', params: ({ event }) => event },
            target: 'signedOut',
            actions: ['forgetAll', 'tellFacts'],
          },
          {
            guard: 'hasProfile',
            target: ['.token.fresh', '.profile.reloading'],
            actions: { type: 'takeFacts', params: ({ event }) => event },
          },
          {
            target: ['.token.fresh', '.profile.loading'],
            actions: { type: 'takeFacts', params: ({ event }) => event },
          },
        ],
      },
      states: {
        token: {
          initial: 'fresh',
          states: {
            fresh: {
              on: {
                'token.stale': { guard: 'canRefresh', target: 'refreshing' },
                'session.invalid': {
                  guard: 'hasProfile',
                  target: '#session.expired',
                  actions: { type: 'keepEnd', params: ({ event }) => ({ problem: event.problem }) },
                },
              },
            },
            // A call refused meanwhile had the old token; whether the session is over, the answer
            // to the refresh says.
            refreshing: {
              tags: 'refreshing',
              invoke: {
                id: 'refresh',
                src: 'refresh',
                input: ({ context }) => ({ refreshToken: context.facts?.refreshToken ?? '' }),
                onDone: {
                  target: 'fresh',
                  actions: [
                    { type: 'take', params: ({ event }) => ({ issued: event.output }) },
                    'tellFacts',
                  ],
                },
                onError: [
                  {
                    guard: {
                      type: 'endsOverPage',
                      params: ({ event }) => ({ error: event.error }),
                    },
                    target: '#session.expired',
                    actions: {
                      type: 'keepEnd',
                      params: ({ event }) => ({ problem: problemOf(event.error) }),
                    },
                  },
                  {
                    guard: {
                      type: 'isSessionProblem',
                      params: ({ event }) => ({ error: event.error }),
                    },
                    target: '#session.signedOut',
                    actions: ['forgetAll', 'tellFacts'],
                  },
                  // The network failed, not the session: the old token may still be good.
                  { target: 'fresh' },
                ],
              },
            },
          },
        },
        profile: {
          initial: 'loading',
          states: {
            loading: {
              tags: 'busy',
              invoke: {
                id: 'loadProfile',
                src: 'loadProfile',
                input: ({ context }) => ({ token: context.facts?.token ?? '' }),
                onDone: {
                  target: 'known',
                  actions: {
                    type: 'keepProfile',
                    params: ({ event }) => ({ profile: event.output }),
                  },
                },
                onError: [
                  {
                    guard: {
                      type: 'isSessionProblem',
                      params: ({ event }) => ({ error: event.error }),
                    },
                    target: '#session.signedOut',
                    actions: ['forgetAll', 'tellFacts'],
                  },
                  {
                    target: 'failed',
                    actions: {
                      type: 'keepProblem',
                      params: ({ event }) => ({ error: event.error }),
                    },
                  },
                ],
              },
            },
            failed: { on: { 'profile.retry': { target: 'loading' } } },
            known: { tags: 'active', on: { 'profile.reload': { target: 'reloading' } } },
            // Read again behind the page; what is open stays, even when the reading fails.
            reloading: {
              tags: 'active',
              on: { 'profile.reload': { target: 'reloading', reenter: true } },
              invoke: {
                id: 'loadProfile',
                src: 'loadProfile',
                input: ({ context }) => ({ token: context.facts?.token ?? '' }),
                onDone: [
                  {
                    guard: {
                      type: 'isOtherProfile',
                      params: ({ event }) => ({ profile: event.output }),
                    },
                    target: 'known',
                    actions: [
                      { type: 'keepProfile', params: ({ event }) => ({ profile: event.output }) },
                      'tellNewPerson',
                    ],
                  },
                  {
                    target: 'known',
                    actions: {
                      type: 'keepProfile',
                      params: ({ event }) => ({ profile: event.output }),
                    },
                  },
                ],
                onError: [
                  {
                    guard: {
                      type: 'isSessionProblem',
                      params: ({ event }) => ({ error: event.error }),
                    },
                    target: '#session.expired',
                    actions: {
                      type: 'keepEnd',
                      params: ({ event }) => ({ problem: problemOf(event.error) }),
                    },
                  },
                  { target: 'known' },
                ],
              },
            },
          },
        },
      },
    },
    expired: {
      tags: 'expired',
      initial: 'reminder',
      on: {
        'storage.changed': [
          {
            guard: { type: 'isForgotten', params: ({ event }) => event },
            target: 'signedOut',
            actions: ['forgetAll', 'tellFacts'],
          },
          { target: '.joining', actions: { type: 'takeFacts', params: ({ event }) => event } },
        ],
        'reminder.leave': { target: 'signedOut', actions: ['forgetAll', 'tellFacts'] },
      },
      states: {
        reminder: { on: { 'reminder.confirm': { target: 'form' } } },
        form: { on: { 'session.signIn': { target: 'signingIn', actions: 'rememberAttempt' } } },
        signingIn: {
          tags: 'busy',
          invoke: {
            id: 'signIn',
            src: 'signIn',
            input: ({ context }) => context.attempt as SignInInput,
            onDone: [
              {
                guard: { type: 'isSamePerson', params: ({ event }) => ({ issued: event.output }) },
                target: '#session.present.profile.reloading',
                actions: [
                  { type: 'take', params: ({ event }) => ({ issued: event.output }) },
                  'tellFacts',
                ],
              },
              {
                target: '#session.present',
                actions: [
                  { type: 'take', params: ({ event }) => ({ issued: event.output }) },
                  'forgetProfile',
                  'tellFacts',
                  'tellNewPerson',
                ],
              },
            ],
            onError: {
              target: 'form',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        // Another tab signed in. Whose session it is shows before the page is given to it.
        joining: {
          tags: 'busy',
          invoke: {
            id: 'loadProfile',
            src: 'loadProfile',
            input: ({ context }) => ({ token: context.facts?.token ?? '' }),
            onDone: [
              {
                guard: {
                  type: 'isOtherProfile',
                  params: ({ event }) => ({ profile: event.output }),
                },
                target: '#session.present.profile.known',
                actions: [
                  { type: 'keepProfile', params: ({ event }) => ({ profile: event.output }) },
                  'tellNewPerson',
                ],
              },
              {
                target: '#session.present.profile.known',
                actions: {
                  type: 'keepProfile',
                  params: ({ event }) => ({ profile: event.output }),
                },
              },
            ],
            onError: {
              target: 'form',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
      },
    },
    signingOut: {
      tags: 'busy',
      invoke: {
        id: 'signOut',
        src: 'signOut',
        input: ({ context }) => ({ token: context.facts?.token ?? '' }),
        // Everything is forgotten even when the call fails
        // (docs/spec/2-student-service-and-designer.md §4).
        onDone: { target: 'signedOut', actions: ['forgetAll', 'tellFacts'] },
        onError: { target: 'signedOut', actions: ['forgetAll', 'tellFacts'] },
      },
    },
  },
  options: { maxIterations: 100 },
})

function captchaOf({ data }: Problem): string | null {
  const key =
    typeof data === 'object' && data !== null && 'captchaKey' in data ? data.captchaKey : null
  return typeof key === 'string' ? key : null
}
