import { limits } from '@jiaowu/api/limits'
import { pageOfAddress } from './address.ts'
import { noQuery, plainLook } from './query.ts'
import { listSetup } from './setup.ts'
import { buttonState } from './states/button.ts'
import { deletionState } from './states/deletion.ts'
import { exportState } from './states/export.ts'
import { figuresState } from './states/figures.ts'
import { totalState } from './states/total.ts'
import { undoState } from './states/undo.ts'
import { readyState } from './states/ready.ts'

/** The list of any entity (docs/spec/1-entity-console.md §4). */
export const entityListMachine = listSetup.createMachine({
  id: 'entityList',
  context: ({
    input: { tag, preset, address = '', pageSize = limits.pageSize, hidePagination = false },
  }) => ({
    tag,
    config: null,
    address: preset === undefined ? address : '',
    draft: preset?.queries ?? noQuery.queries,
    applied: preset?.queries ?? noQuery.queries,
    where: preset?.where ?? null,
    ...plainLook,
    sorts: preset?.sorts ?? noQuery.sorts,
    pageNum: pageOfAddress(address),
    pageSize: hidePagination ? limits.hiddenPaginationSize : pageSize,
    page: null,
    tableOf: null,
    total: 0,
    totalIsEstimate: false,
    exactFor: null,
    inexact: false,
    counting: true,
    figures: null,
    figuresAsked: false,
    opened: null,
    selected: [],
    matching: null,
    pendingDeletion: [],
    outdated: false,
    isStep: false,
    problem: null,
    exporting: null,
    names: {},
    undo: null,
    undoNo: 0,
    pressed: null,
  }),
  type: 'parallel',
  states: {
    list: {
      initial: 'opening',
      on: {
        'query.change': {
          guard: 'hasConfig',
          actions: { type: 'changeDraft', params: ({ event }) => event },
        },
        'view.apply': {
          guard: 'isUnopened',
          actions: { type: 'applyView', params: ({ event }) => event },
        },
      },
      states: {
        opening: {
          tags: 'loading',
          invoke: {
            id: 'loadConfig',
            src: 'loadConfig',
            input: ({ context }) => ({ tag: context.tag }),
            onDone: {
              target: 'ready',
              actions: { type: 'keepConfig', params: ({ event }) => ({ config: event.output }) },
            },
            onError: {
              target: 'broken',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        broken: {
          on: {
            'list.refresh': { target: 'opening' },
          },
        },
        ready: readyState,
        deletion: deletionState,
      },
    },
    figures: figuresState,
    total: totalState,
    export: exportState,
    button: buttonState,
    undo: undoState,
  },
  options: { maxIterations: 100 },
})
