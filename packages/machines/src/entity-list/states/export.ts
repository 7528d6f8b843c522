import { buildExportQuery } from '../query.ts'
import { listSetup } from '../setup.ts'

/** One export at a time, beside whatever the list does. */
export const exportState = listSetup.createStateConfig({
  initial: 'idle',
  states: {
    idle: {
      on: {
        'export.start': {
          guard: {
            type: 'mayExport',
            params: ({ event }) => ({ chosen: event.chosen ?? false }),
          },
          target: 'running',
          actions: {
            type: 'beginExport',
            params: ({ event }) => ({
              format: event.format,
              columns: event.columns ?? null,
              chosen: event.chosen ?? false,
            }),
          },
        },
      },
    },
    running: {
      exit: 'endExport',
      on: {
        'export.progress': {
          actions: { type: 'countBytes', params: ({ event }) => ({ bytes: event.bytes }) },
        },
        'export.cancel': { target: 'idle' },
      },
      invoke: {
        id: 'exportRows',
        src: 'exportRows',
        input: ({ context }) => ({
          tag: context.tag,
          query: buildExportQuery(context),
          format: context.exporting?.format ?? 'xlsx',
          columns: context.group?.table === undefined ? (context.exporting?.columns ?? null) : null,
          only: context.exporting?.only ?? null,
        }),
        onDone: { target: 'idle', actions: 'toastExported' },
        onError: {
          target: 'idle',
          actions: { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
  },
})
