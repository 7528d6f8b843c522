import { noHistory } from './edits/history.ts'
import { gridSetup } from './setup.ts'
import { blocksState, fetchingState, totalState } from './states/blocks.ts'
import { leavingState } from './states/leaving.ts'
import { pastingState, revertingState } from './states/pasting.ts'
import { savingState } from './states/saving.ts'
import { editingState, selectingState } from './states/selecting.ts'

const start = { row: 0, col: 0 }

/** The rows of a list, edited as in a spreadsheet (docs/decisions/0002-html-table.md). */
export const gridEditMachine = gridSetup.createMachine({
  id: 'gridEdit',
  context: ({ input: { tag, query, columns, mayEdit, mayAdd, history, kept } }) => ({
    tag,
    query,
    chosen: columns,
    mayEdit,
    mayAdd,
    config: null,
    columns: [],
    total: null,
    totalIsEstimate: false,
    exactFor: null,
    inexact: false,
    isCounted: false,
    open: {},
    blocks: {},
    fresh: [],
    sight: [0, 0],
    asked: 0,
    added: [],
    nextKey: 1,
    selection: { anchor: start, focus: start },
    edit: null,
    edits: {},
    // A grid that is only read takes nothing back.
    history: mayEdit || mayAdd ? (history ?? noHistory) : noHistory,
    pasted: null,
    finding: null,
    match: null,
    settled: {},
    pending: null,
    kept: kept ?? null,
    paste: null,
    check: null,
    reverting: null,
    problem: null,
    saveProblem: null,
  }),
  type: 'parallel',
  states: {
    table: {
      initial: 'opening',
      states: {
        opening: {
          tags: 'opening',
          invoke: {
            id: 'loadConfig',
            src: 'loadConfig',
            input: ({ context }) => ({ tag: context.tag }),
            onDone: {
              target: 'ready',
              actions: [
                { type: 'keepConfig', params: ({ event }) => ({ config: event.output }) },
                'sayKept',
              ],
            },
            onError: {
              target: 'broken',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        broken: {
          on: { 'grid.refresh': { target: 'opening' }, 'grid.leave': { actions: 'tellLeft' } },
        },
        ready: {
          initial: 'selecting',
          states: {
            selecting: selectingState,
            editing: editingState,
            pasting: pastingState,
            reverting: revertingState,
            fetching: fetchingState,
            leaving: leavingState,
          },
        },
      },
    },
    blocks: blocksState,
    total: totalState,
    saving: savingState,
  },
  options: { maxIterations: 100 },
})
