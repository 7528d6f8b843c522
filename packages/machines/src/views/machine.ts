import { limits } from '@jiaowu/api/limits'
import { plainContent } from './choices.ts'
import { viewsSetup } from './setup.ts'
import { layoutState } from './states/layout.ts'
import { viewState } from './states/view.ts'

/**
 * Saved views of a list, and its columns (docs/rules/requests.md#r23). The list machine loads the
 * rows.
 */
export const viewsMachine = viewsSetup.createMachine({
  id: 'views',
  context: ({ input: { tag, isPreset, wanted = null, pageSize = limits.pageSize } }) => ({
    tag,
    isTaken: isPreset,
    wanted,
    usualSize: pageSize,
    data: null,
    current: null,
    now: plainContent(null, pageSize),
    layout: null,
    sent: null,
    draft: null,
    save: null,
    pendingDeletion: null,
    opens: '',
    problem: null,
  }),
  on: { 'list.changed': { actions: { type: 'follow', params: ({ event }) => event } } },
  initial: 'loading',
  states: {
    loading: {
      tags: 'loading',
      invoke: {
        id: 'loadViews',
        src: 'loadViews',
        input: ({ context }) => ({ tag: context.tag }),
        onDone: [
          {
            guard: { type: 'opensWanted', params: ({ event }) => ({ data: event.output }) },
            target: 'ready',
            actions: [
              { type: 'keepViews', params: ({ event }) => ({ data: event.output }) },
              'keepLayout',
              'openWanted',
            ],
          },
          {
            guard: { type: 'opensView', params: ({ event }) => ({ data: event.output }) },
            target: 'ready',
            actions: [
              { type: 'keepViews', params: ({ event }) => ({ data: event.output }) },
              'keepLayout',
              'tellUnknown',
              { type: 'show', params: ({ event }) => ({ id: event.output.opening }) },
            ],
          },
          {
            target: 'ready',
            actions: [
              { type: 'keepViews', params: ({ event }) => ({ data: event.output }) },
              'keepLayout',
              'tellUnknown',
            ],
          },
        ],
        onError: {
          target: 'unavailable',
          actions: [
            { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            'take',
          ],
        },
      },
    },
    // The list works without views: columns are kept until the page is closed.
    unavailable: {
      on: {
        'views.retry': { target: 'loading' },
        'columns.change': { actions: { type: 'arrange', params: ({ event }) => event } },
      },
    },
    ready: {
      type: 'parallel',
      states: {
        view: viewState,
        layout: layoutState,
      },
    },
  },
})
