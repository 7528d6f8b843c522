import { createTransferContext } from './context.ts'
import { transferSetup } from './setup.ts'
import { choosingState } from './states/choosing.ts'
import { exportingState } from './states/exporting.ts'
import { followed } from './states/following.ts'
import { cancellingState, sendingState } from './states/requests.ts'
import { reviewingState } from './states/reviewing.ts'
import { savingState } from './states/saving.ts'
import { openingState, uploadingState } from './states/uploading.ts'

/**
 * Import and export of any entity, for every surface (docs/spec/1-entity-console.md §1,
 * docs/rules/contract.md#entity-data). Progress comes from the server only.
 */
export const transferMachine = transferSetup.createMachine({
  id: 'transfer',
  context: ({ input }) => createTransferContext(input),
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
        // The state follows from the server's report, whichever surface started the job.
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
        // Refused or unanswered: back to the last known state of the job, keeping the user's edits.
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
    /** Downloads of the template and the result, at any time. */
    saving: savingState,
  },
  options: { maxIterations: 100 },
})
