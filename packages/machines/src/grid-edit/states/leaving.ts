import { gridSetup } from '../setup.ts'

const back = '#gridEdit.table.ready.selecting'
const left = { guard: 'isSaved', target: back, actions: 'tellLeft' } as const

/** The grid is left once everything is stored; what cannot be stored is asked about. */
export const leavingState = gridSetup.createStateConfig({
  tags: 'leaving',
  initial: 'waiting',
  on: { 'leave.stay': { target: back } },
  states: {
    waiting: { always: [left, { guard: 'isHeld', target: 'asking' }] },
    asking: {
      always: left,
      on: {
        'leave.discard': { target: back, actions: ['dropUnsaved', 'tellHistory', 'tellLeft'] },
      },
    },
  },
})
