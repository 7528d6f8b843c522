import { designerSetup } from '../setup.ts'

/** Edits the draft, and checks it after a pause. */
export const editingState = designerSetup.createStateConfig({
  tags: 'editing',
  initial: 'settling',
  on: {
    'draft.edit': [
      {
        guard: { type: 'changes', params: ({ event }) => event },
        target: '.settling',
        actions: { type: 'edit', params: ({ event }) => event },
      },
      // A column that already has a field is not added again: its field is selected
      // (docs/spec/2-student-service-and-designer.md §4).
      {
        guard: { type: 'addsColumn', params: ({ event }) => event },
        actions: { type: 'point', params: ({ event }) => event },
      },
    ],
    'history.undo': {
      guard: 'hasPast',
      target: '.settling',
      actions: ['undo', 'forgetGone'],
    },
    'history.redo': {
      guard: 'hasFuture',
      target: '.settling',
      actions: ['redo', 'forgetGone'],
    },
    'json.apply': { guard: 'isJsonGood', target: '.settling', actions: 'applyJson' },
    'field.select': {
      guard: { type: 'isField', params: ({ event }) => event },
      actions: { type: 'select', params: ({ event }) => ({ id: event.id }) },
    },
    'entity.select': { actions: { type: 'select', params: { id: null } } },
  },
  states: {
    settling: { always: [{ guard: 'isSaved', target: 'clean' }, { target: 'dirty' }] },
    clean: {
      on: { 'design.leave': { guard: 'isDesigning', target: '#designer.left' } },
    },
    dirty: {
      tags: 'unsaved',
      initial: 'resting',
      on: {
        'design.leave': { guard: 'isDesigning', target: '#designer.open.work.leaving' },
        'design.save': {
          guard: 'isDesigning',
          target: '#designer.open.work.reviewing',
          actions: { type: 'keepNote', params: ({ event }) => ({ note: event.note }) },
        },
      },
      states: {
        resting: { after: { CHECK_PAUSE: { target: 'checking' } } },
        checking: {
          invoke: {
            id: 'checkDesign',
            src: 'checkDesign',
            input: ({ context }) => ({ draft: context.draft }),
            onDone: {
              target: 'checked',
              actions: {
                type: 'keepCheck',
                params: ({ event }) => ({ check: event.output }),
              },
            },
            // A failed check does not interrupt editing: the save checks again.
            onError: { target: 'checked' },
          },
        },
        checked: {},
      },
    },
  },
})
