import { limits } from '@jiaowu/api/limits'
import { transferSetup } from '../setup.ts'

/** Chooses a file, options, or an earlier job. */
export const choosingState = transferSetup.createStateConfig({
  initial: 'recalling',
  on: {
    'file.choose': [
      {
        guard: { type: 'isAcceptable', params: ({ event }) => event },
        actions: { type: 'keepFile', params: ({ event }) => event },
      },
      { actions: { type: 'refuseFile', params: ({ event }) => event } },
    ],
    'file.drop': { guard: 'hasFile', actions: 'dropFile' },
    'choices.change': { actions: { type: 'choose', params: ({ event }) => event } },
    'upload.start': { guard: 'hasFile', target: 'uploading' },
    'job.open': {
      target: 'opening',
      actions: { type: 'pick', params: ({ event }) => event },
    },
  },
  states: {
    recalling: {
      tags: 'busy',
      invoke: {
        id: 'recall',
        src: 'recall',
        input: ({ context }) => ({
          tag: context.input.tag,
          pageNum: context.recallPage,
          pageSize: limits.historyPageSize,
        }),
        onDone: {
          target: 'recalled',
          actions: {
            type: 'keepRecalled',
            params: ({ event }) => ({ recalled: event.output }),
          },
        },
        // Remembered options are optional.
        onError: { target: 'forgotten' },
      },
    },
    recalled: {
      on: {
        'history.page': {
          guard: { type: 'isOtherJobs', params: ({ event }) => event },
          target: 'recalling',
          actions: { type: 'goToJobs', params: ({ event }) => event },
        },
      },
    },
    forgotten: { on: { 'transfer.retry': { target: 'recalling' } } },
  },
})
