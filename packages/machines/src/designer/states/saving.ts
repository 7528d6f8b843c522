import { designerSetup } from '../setup.ts'

/** Checks the draft before it is saved. */
export const reviewingState = designerSetup.createStateConfig({
  tags: ['busy', 'unsaved'],
  invoke: {
    id: 'checkDesign',
    src: 'checkDesign',
    input: ({ context }) => ({ draft: context.draft }),
    onDone: {
      target: 'judging',
      actions: { type: 'keepCheck', params: ({ event }) => ({ check: event.output }) },
    },
    onError: {
      target: 'editing.dirty.checked',
      actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
    },
  },
})

/** Saves the draft. */
export const savingState = designerSetup.createStateConfig({
  tags: ['busy', 'unsaved'],
  invoke: {
    id: 'saveDesign',
    src: 'saveDesign',
    input: ({ context }) => ({
      draft: context.draft,
      version: context.stored?.version ?? null,
      note: context.note,
    }),
    onDone: {
      target: 'editing.clean',
      actions: [
        { type: 'keepSaved', params: ({ event }) => ({ stored: event.output }) },
        'tellSaved',
      ],
    },
    onError: [
      {
        guard: { type: 'isStale', params: ({ event }) => ({ error: event.error }) },
        target: 'stale',
        actions: { type: 'keepStale', params: ({ event }) => ({ error: event.error }) },
      },
      {
        target: 'editing.dirty.checked',
        actions: {
          type: 'keepProblem',
          params: ({ event }) => ({ error: event.error }),
        },
      },
    ],
  },
})
