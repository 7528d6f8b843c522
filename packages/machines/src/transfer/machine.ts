import { contextOf } from './context.ts'
import { transferSetup } from './setup.ts'
import { choosingState } from './states/choosing.ts'
import { exportingState } from './states/exporting.ts'
import { followed } from './states/following.ts'
import { cancellingState, sendingState } from './states/requests.ts'
import { reviewingState } from './states/reviewing.ts'
import { savingState } from './states/saving.ts'
import { openingState, uploadingState } from './states/uploading.ts'

/**
 * Import and export of any entity, one machine for every surface (docs/spec/1-entity-console.md §1,
 * docs/rules/contract.md#entity-data). What a job does is told by the server, never guessed.
 */
export const transferMachine = transferSetup.createMachine({
  id: 'transfer',
  context: ({ input }) => contextOf(input),
  type: 'parallel',
  states: {
    transfer: {
      initial: 'beginning',
      states: {
        beginning: {
          always: [
            { guard: 'isExport', target: 'exporting' },
            { guard: 'hasId', target: 'opening' },
            { guard: 'hasFile', target: 'uploading' },
            { target: 'choosing' },
          ],
        },
        choosing: choosingState,
        uploading: uploadingState,
        opening: openingState,
        unopened: {
          on: {
            'transfer.retry': { target: 'opening' },
            'transfer.restart': { target: 'choosing', actions: ['forget', 'tellJob'] },
          },
        },
        // Where a job belongs follows from what the server says of it, whichever surface began it.
        routing: {
          always: [
            { guard: 'isWriting', target: 'running' },
            { guard: 'isChecking', target: 'checking' },
            { guard: 'isForReview', target: 'reviewing' },
            { guard: 'isPaused', target: 'paused' },
            { guard: 'isDone', target: 'done', actions: 'tellFinished' },
            { target: 'failed', actions: 'tellFinished' },
          ],
        },
        checking: { ...followed },
        running: { ...followed },
        reviewing: reviewingState,
        confirming: {
          on: {
            'run.confirm': {
              target: 'sending',
              actions: { type: 'askWrite', params: { confirm: true } },
            },
            'run.cancel': { target: 'reviewing' },
          },
        },
        sending: sendingState,
        // Refused, or nobody answered: where the job stood as far as anybody knows, with what was
        // edited.
        returning: {
          always: [
            { guard: 'isWriting', target: 'running' },
            { guard: 'isChecking', target: 'checking' },
            { guard: 'isForReview', target: 'reviewing' },
            { guard: 'isPaused', target: 'paused' },
            { target: 'failed' },
          ],
        },
        paused: {
          on: {
            'job.resume': { guard: 'mayResume', target: 'sending', actions: 'askGoOn' },
            'job.cancel': { guard: 'mayCancel', target: 'cancelling' },
            'transfer.restart': { target: 'choosing', actions: ['forget', 'tellJob'] },
          },
        },
        cancelling: cancellingState,
        done: {
          on: { 'transfer.restart': { target: 'choosing', actions: ['forget', 'tellJob'] } },
        },
        failed: {
          on: {
            'transfer.restart': { target: 'choosing', actions: ['forget', 'tellJob'] },
            'job.resume': { guard: 'mayResume', target: 'sending', actions: 'askGoOn' },
            'transfer.retry': { target: 'opening' },
          },
        },
        exporting: exportingState,
      },
    },
    /** Files beside the way: the template, the result. */
    saving: savingState,
  },
  options: { maxIterations: 100 },
})
