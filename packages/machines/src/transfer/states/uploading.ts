import { findImportFormat } from '../choices.ts'
import { choicesNow } from '../context.ts'
import { transferSetup } from '../setup.ts'

/** Uploads the chosen file, which starts a job. */
export const uploadingState = transferSetup.createStateConfig({
  tags: 'busy',
  entry: 'beginUpload',
  on: {
    'upload.progress': { actions: { type: 'countSent', params: ({ event }) => event } },
    'job.cancel': { target: 'choosing' },
  },
  invoke: {
    id: 'upload',
    src: 'upload',
    input: ({ context }) => {
      const file = context.file ?? { key: '', name: '', size: 0 }
      return {
        tag: context.input.tag,
        file,
        format: findImportFormat(file.name),
        choices: choicesNow(context),
        mapping: context.input.mapping ?? null,
        fixed: context.input.fixed ?? null,
        reading: context.input.reading ?? null,
        pauseAt: context.input.pauseAt ?? 'review',
      }
    },
    onDone: {
      target: 'routing',
      actions: [{ type: 'keepJob', params: ({ event }) => ({ job: event.output }) }, 'tellJob'],
    },
    onError: {
      target: 'choosing',
      actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
    },
  },
})

/** Loads a job that was started earlier or on another surface. */
export const openingState = transferSetup.createStateConfig({
  tags: 'busy',
  on: { 'transfer.restart': { target: 'choosing', actions: ['forget', 'tellJob'] } },
  invoke: {
    id: 'readJob',
    src: 'readJob',
    input: ({ context }) => ({ id: context.id ?? '' }),
    onDone: {
      target: 'routing',
      actions: [{ type: 'keepJob', params: ({ event }) => ({ job: event.output }) }, 'tellJob'],
    },
    onError: {
      target: 'unopened',
      actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
    },
  },
})
