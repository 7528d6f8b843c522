import { toProblem } from '@jiaowu/api/problem'
import { sessionSetup } from '../setup.ts'

/** Loads the user's profile and menu. */
export const profileState = sessionSetup.createStateConfig({
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
    // Reloads in the background; the page stays, even when loading fails.
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
              params: ({ event }) => ({ problem: toProblem(event.error) }),
            },
          },
          { target: 'known' },
        ],
      },
    },
  },
})
