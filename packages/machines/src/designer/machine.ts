import { entityDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import * as v from 'valibot'
import type { Draft } from './draft.ts'
import { designerSetup } from './setup.ts'
import { editingState } from './states/editing.ts'
import { reviewingState, savingState } from './states/saving.ts'
import { viewState } from './states/view.ts'

/**
 * Creates and edits the definition of an entity
 * (docs/spec/2-student-service-and-designer.md §2, §4). Every edit can be undone; a refused save or
 * another user's save loses nothing.
 */
export const designerMachine = designerSetup.createMachine({
  id: 'designer',
  context: ({ input }) => ({
    input,
    stored: null,
    saved: null,
    draft: emptyDraft,
    past: [],
    future: [],
    columns: [],
    selected: null,
    check: null,
    problem: null,
    json: null,
    stale: null,
    note: null,
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      on: { 'design.leave': { target: 'left' } },
      invoke: {
        id: 'loadDesign',
        src: 'loadDesign',
        input: ({ context }) => context.input.target,
        onDone: {
          target: 'open',
          actions: { type: 'open', params: ({ event }) => ({ data: event.output }) },
        },
        onError: {
          target: 'failed',
          actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    failed: { on: { 'design.retry': { target: 'loading' }, 'design.leave': { target: 'left' } } },
    open: {
      type: 'parallel',
      states: {
        work: {
          initial: 'editing',
          states: {
            editing: editingState,
            reviewing: reviewingState,
            judging: {
              always: [
                { guard: 'hasErrors', target: 'editing.dirty.checked', actions: 'tellInvalid' },
                { guard: 'breaks', target: 'confirming' },
                { target: 'saving' },
              ],
            },
            confirming: {
              tags: 'unsaved',
              on: {
                'impact.accept': { target: 'saving' },
                'impact.cancel': { target: 'editing.dirty.checked' },
              },
            },
            saving: savingState,
            stale: {
              tags: 'unsaved',
              on: {
                'stale.choose': {
                  guard: { type: 'differs', params: ({ event }) => event },
                  actions: { type: 'choose', params: ({ event }) => event },
                },
                // The merged draft is new to both sides, so it is checked before it is saved.
                'stale.save': { target: 'reviewing', actions: 'merge' },
                'stale.cancel': { target: 'editing.dirty.checked', actions: 'dropStale' },
              },
            },
            leaving: {
              tags: 'unsaved',
              on: {
                'leave.confirm': { target: '#designer.left' },
                'leave.cancel': { target: 'editing.dirty.checked' },
              },
            },
          },
        },
        view: viewState,
      },
    },
    left: { type: 'final', entry: 'tellLeft' },
  },
  options: { maxIterations: 100 },
})

const emptyDraft: Draft = v.parse(entityDefinitionSchema, {
  tag: 'NEW',
  name: '',
  tableName: 'new',
  fields: [],
})
