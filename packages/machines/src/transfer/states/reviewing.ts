import { transferSetup } from '../setup.ts'
import { reviewedRows } from './review-rows.ts'

/** Shows the verdict on each row and the assignment of columns before anything is written. */
export const reviewingState = transferSetup.createStateConfig({
  type: 'parallel',
  on: {
    'choices.change': {
      target: 'sending',
      actions: { type: 'askCheck', params: ({ event }) => event },
    },
    'job.check': {
      target: 'sending',
      actions: { type: 'askCheck', params: { choices: {} } },
    },
    'reading.change': {
      target: 'sending',
      actions: { type: 'askReading', params: ({ event }) => event },
    },
    'job.cancel': { guard: 'mayCancel', target: 'cancelling' },
    'transfer.restart': { target: 'choosing', actions: ['forget', 'tellJob'] },
  },
  states: {
    mapping: {
      initial: 'deciding',
      on: {
        'fixed.set': {
          target: '.deciding',
          actions: { type: 'fixValue', params: ({ event }) => event },
        },
        'column.assign': {
          target: '.deciding',
          actions: { type: 'mapColumn', params: ({ event }) => event },
        },
      },
      states: {
        deciding: {
          always: [{ guard: 'isReassigned', target: 'edited' }, { target: 'clean' }],
        },
        // Only rows checked with the present assignment can be written.
        clean: {
          on: {
            'job.run': [
              { guard: 'needsConfirm', target: '#transfer.transfer.confirming' },
              {
                guard: 'isRunnable',
                target: '#transfer.transfer.sending',
                actions: { type: 'askWrite', params: { confirm: false } },
              },
            ],
          },
        },
        edited: { on: { 'mapping.reset': { target: 'clean', actions: 'resetMapping' } } },
      },
    },
    rows: reviewedRows,
  },
})
