import { downloadSetup, keepProblem, tellProblem } from '../setup.ts'

/** Loads and shows the list of reports. */
export const listState = downloadSetup.createStateConfig({
  tags: 'step:0',
  initial: 'entering',
  entry: ['forgetOrder', 'forgetProblem', 'tellNoFacts'],
  on: { 'list.refresh': { target: '.loadingStudent' } },
  states: {
    entering: { always: [{ guard: 'isFresh', target: 'shown' }, { target: 'loadingStudent' }] },
    loadingStudent: {
      tags: 'busy',
      entry: 'forgetProblem',
      invoke: {
        id: 'detail',
        src: 'detail',
        onDone: {
          target: 'loadingReports',
          actions: { type: 'keepStudent', params: ({ event }) => ({ student: event.output }) },
        },
        onError: { target: 'failed', actions: [keepProblem, tellProblem] },
      },
    },
    loadingReports: {
      tags: 'busy',
      invoke: {
        id: 'reports',
        src: 'reports',
        input: ({ context }) => ({ stuNo: context.student?.fldXh ?? '' }),
        onDone: {
          target: 'entering',
          actions: { type: 'keepReports', params: ({ event }) => ({ reports: event.output }) },
        },
        onError: { target: 'failed', actions: [keepProblem, tellProblem] },
      },
    },
    failed: {},
    shown: {
      on: {
        'filter.toggle': { actions: { type: 'toggle', params: ({ event }) => event } },
        'report.open': {
          guard: { type: 'isListed', params: ({ event }) => event },
          target: '#download.preview',
          actions: { type: 'choose', params: ({ event }) => event },
        },
      },
    },
  },
})
