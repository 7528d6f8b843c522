import type { ViewSave } from '../ports.ts'
import { viewsSetup } from '../setup.ts'

/** Opens, edits, saves and deletes views. */
export const viewState = viewsSetup.createStateConfig({
  initial: 'idle',
  on: { 'view.follow': { actions: { type: 'showShown', params: ({ event }) => event } } },
  states: {
    idle: {
      on: {
        'view.open': {
          guard: { type: 'isThere', params: ({ event }) => event },
          actions: { type: 'show', params: ({ event }) => event },
        },
        'view.revert': {
          guard: 'isChanged',
          actions: { type: 'show', params: ({ context }) => ({ id: context.current }) },
        },
        'view.save': { guard: 'canSave', target: 'saving', actions: 'saveNow' },
        'view.edit': {
          guard: { type: 'mayEdit', params: ({ event }) => event },
          target: 'naming',
          actions: { type: 'beginDraft', params: ({ event }) => event },
        },
        'view.delete': {
          guard: { type: 'mayDelete', params: ({ event }) => event },
          target: 'confirmingDelete',
          actions: { type: 'markForDeletion', params: ({ event }) => event },
        },
        'view.star': {
          guard: { type: 'isThere', params: ({ event }) => event },
          target: 'starring',
          actions: { type: 'star', params: ({ event }) => event },
        },
      },
    },
    naming: {
      on: {
        'draft.change': { actions: { type: 'changeDraft', params: ({ event }) => event } },
        'draft.submit': { guard: 'isComplete', target: 'saving', actions: 'submitDraft' },
        'draft.cancel': { target: 'idle', actions: 'endDraft' },
      },
    },
    saving: {
      tags: 'busy',
      invoke: {
        id: 'saveView',
        src: 'saveView',
        input: ({ context }) => context.save as ViewSave,
        onDone: {
          target: 'idle',
          actions: [
            { type: 'keepViews', params: ({ event }) => ({ data: event.output }) },
            { type: 'openSaved', params: ({ event }) => event.output },
            'toastSaved',
          ],
        },
        onError: [
          {
            guard: { type: 'isStale', params: ({ event }) => ({ error: event.error }) },
            target: 'idle',
            actions: [
              { type: 'keepStanding', params: ({ event }) => ({ error: event.error }) },
              'endDraft',
              { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
            ],
          },
          {
            guard: 'isNaming',
            target: 'naming',
            actions: [{ type: 'keepProblem', params: ({ event }) => ({ error: event.error }) }],
          },
          {
            target: 'idle',
            actions: {
              type: 'toastProblem',
              params: ({ event }) => ({ error: event.error }),
            },
          },
        ],
      },
    },
    confirmingDelete: {
      on: {
        'delete.confirm': { target: 'deleting' },
        'delete.cancel': { target: 'idle', actions: 'unmarkForDeletion' },
      },
    },
    deleting: {
      tags: 'busy',
      invoke: {
        id: 'removeView',
        src: 'removeView',
        input: ({ context }) => ({ tag: context.tag, id: context.pendingDeletion ?? '' }),
        // The list keeps its content after its view is deleted.
        onDone: {
          target: 'idle',
          actions: [
            { type: 'keepViews', params: ({ event }) => ({ data: event.output }) },
            'unmarkForDeletion',
            'toastDeleted',
          ],
        },
        onError: {
          target: 'idle',
          actions: [
            'unmarkForDeletion',
            { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
          ],
        },
      },
    },
    starring: {
      tags: 'busy',
      invoke: {
        id: 'chooseOpening',
        src: 'chooseOpening',
        input: ({ context }) => ({ tag: context.tag, opens: context.opens }),
        onDone: {
          target: 'idle',
          actions: { type: 'keepViews', params: ({ event }) => ({ data: event.output }) },
        },
        onError: {
          target: 'idle',
          actions: {
            type: 'toastProblem',
            params: ({ event }) => ({ error: event.error }),
          },
        },
      },
    },
  },
})
