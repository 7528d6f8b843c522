import { limits } from '@jiaowu/api/limits'
import { transferSetup } from '../setup.ts'

/** The reviewed rows, by verdict and page. */
export const reviewedRows = transferSetup.createStateConfig({
  initial: 'deciding',
  on: {
    'rows.show': {
      guard: 'isReviewed',
      target: '.loading',
      actions: { type: 'show', params: ({ event }) => event },
    },
  },
  states: {
    deciding: { always: [{ guard: 'isReviewed', target: 'loading' }, { target: 'none' }] },
    none: {},
    loading: {
      invoke: {
        id: 'loadRows',
        src: 'loadRows',
        input: ({ context }) => ({
          id: context.id ?? '',
          verdict: context.verdict,
          pageNum: context.rowsPage,
          pageSize: limits.reviewPageSize,
        }),
        onDone: {
          target: 'shown',
          actions: { type: 'keepRows', params: ({ event }) => ({ rows: event.output }) },
        },
        onError: {
          target: 'failed',
          actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    shown: {
      on: {
        // Only cells of rows that are shown, and that were checked with the present assignment.
        'cell.mend': {
          guard: 'mayMend',
          target: '#transfer.transfer.sending',
          actions: { type: 'askMend', params: ({ event }) => event },
        },
        'rows.page': {
          guard: { type: 'isOtherRows', params: ({ event }) => event },
          target: 'loading',
          actions: { type: 'goToRows', params: ({ event }) => event },
        },
      },
    },
    failed: { on: { 'transfer.retry': { target: 'loading' } } },
  },
})
