import { downloadSetup, keepProblem, tellProblem } from '../setup.ts'

/** Loads price and preview of the chosen report. */
export const previewState = downloadSetup.createStateConfig({
  tags: 'step:1',
  initial: 'loading',
  on: { 'preview.cancel': { target: 'list' } },
  states: {
    // Price and PDF load concurrently.
    loading: {
      tags: 'busy',
      entry: 'forgetPreview',
      invoke: [
        {
          id: 'price',
          src: 'price',
          input: ({ context }) => ({ reportId: context.report?.id ?? '' }),
          onDone: [
            {
              guard: 'hasPdf',
              target: 'shown',
              actions: {
                type: 'keepPrice',
                params: ({ event }) => ({ price: event.output.PRINT_PRICE }),
              },
            },
            {
              actions: {
                type: 'keepPrice',
                params: ({ event }) => ({ price: event.output.PRINT_PRICE }),
              },
            },
          ],
          onError: { target: 'failed', actions: [keepProblem, tellProblem] },
        },
        {
          id: 'preview',
          src: 'preview',
          input: ({ context }) => ({
            reportId: context.report?.id ?? '',
            account: context.account,
          }),
          onDone: [
            {
              guard: 'hasPrice',
              target: 'shown',
              actions: { type: 'keepPdf', params: ({ event }) => ({ pdf: event.output }) },
            },
            { actions: { type: 'keepPdf', params: ({ event }) => ({ pdf: event.output }) } },
          ],
          onError: { target: 'failed', actions: [keepProblem, tellProblem] },
        },
      ],
    },
    failed: { on: { 'preview.retry': { target: 'loading' } } },
    shown: {
      on: {
        'preview.confirm': [
          { guard: 'isFree', target: '#download.ordering', actions: 'forgetProblem' },
          { target: '#download.method' },
        ],
      },
    },
  },
})
