import type { SignInInput } from '../ports.ts'
import { sessionSetup } from '../setup.ts'

/** The session ended: reminder and sign-in over the open page. */
export const expiredState = sessionSetup.createStateConfig({
  tags: 'expired',
  initial: 'reminder',
  on: {
    'storage.changed': [
      {
        guard: { type: 'wouldLoseInput', params: ({ event }) => event },
        target: '.reminder',
        actions: 'keepEndElsewhere',
      },
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
    form: {
      on: {
        'session.signIn': { guard: 'isNotAsked', target: 'signingIn', actions: 'rememberAttempt' },
        'factor.answer': { guard: 'isAsked', target: 'signingIn', actions: 'rememberAnswer' },
        'factor.leave': { guard: 'isAsked', actions: 'leaveFactor' },
      },
    },
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
    // Another tab signed in. Load the profile first, because the page stays only for the same user.
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
})
