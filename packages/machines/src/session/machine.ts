import { blank } from './context.ts'
import type { SignInInput } from './ports.ts'
import { sessionSetup } from './setup.ts'
import { expiredState } from './states/expired.ts'
import { profileState } from './states/profile.ts'
import { tokenState } from './states/token.ts'

/**
 * A user's session (docs/spec/1-entity-console.md §4): signed out, present with a token that is
 * refreshed once for all calls, or expired, where the user signs in over the open page and
 * continues.
 * While present, token and profile are separate regions: the calls that load the profile wait for a
 * refresh like all others.
 */
export const sessionMachine = sessionSetup.createMachine({
  id: 'session',
  context: ({ input }) => ({ ...blank, facts: input.facts }),
  initial: 'starting',
  states: {
    starting: { always: [{ guard: 'hasFacts', target: 'present' }, { target: 'signedOut' }] },
    signedOut: {
      tags: 'signedOut',
      on: {
        'session.signIn': { guard: 'isNotAsked', target: 'signingIn', actions: 'rememberAttempt' },
        'factor.answer': { guard: 'isAsked', target: 'signingIn', actions: 'rememberAnswer' },
        'factor.leave': { guard: 'isAsked', actions: 'leaveFactor' },
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
        // Another tab signed out, refreshed, or signed in, maybe as another user. A refresh here
        // would overwrite that.
        'storage.changed': [
          {
            guard: { type: 'wouldLoseInput', params: ({ event }) => event },
            target: 'expired',
            actions: 'keepEndElsewhere',
          },
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
        token: tokenState,
        profile: profileState,
      },
    },
    expired: expiredState,
    signingOut: {
      tags: 'busy',
      invoke: {
        id: 'signOut',
        src: 'signOut',
        input: ({ context }) => ({ token: context.facts?.token ?? '' }),
        // Deletes everything, even when the call fails
        // (docs/spec/2-student-service-and-designer.md §4).
        onDone: { target: 'signedOut', actions: ['forgetAll', 'tellFacts'] },
        onError: { target: 'signedOut', actions: ['forgetAll', 'tellFacts'] },
      },
    },
  },
  options: { maxIterations: 100 },
})
