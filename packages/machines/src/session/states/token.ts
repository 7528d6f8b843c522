import { toProblem } from '@jiaowu/api/problem'
import { sessionSetup } from '../setup.ts'

/** Refreshes the token, once for all calls that wait for it. */
export const tokenState = sessionSetup.createStateConfig({
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
    // Calls refused meanwhile used the old token; only the answer to the refresh tells whether the
    // session ended.
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
              params: ({ event }) => ({ problem: toProblem(event.error) }),
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
          // A network failure does not end the session: the old token may still be valid.
          { target: 'fresh' },
        ],
      },
    },
  },
})
