import { gridSetup } from '../setup.ts'

/** Cleared, filled and replaced cells: at once, or when they are many, after a preview. */
const change = [
  { guard: 'isTooMany', actions: 'sayTooMany' },
  { guard: 'isFetchable', target: 'fetching', actions: 'keepPending' },
  { guard: 'isUnloaded', actions: ['dropPending', 'sayUnloaded'] },
  { guard: 'isLargeChange', target: 'pasting', actions: ['dropPending', 'draftChanges'] },
  { guard: 'hasChange', actions: ['dropPending', 'applyChanges', 'tellHistory'] },
  { actions: ['dropPending', 'sayNothing'] },
] as const

export const selectingState = gridSetup.createStateConfig({
  on: {
    'range.select': { actions: { type: 'select', params: ({ event }) => event } },
    'cell.move': { actions: { type: 'move', params: ({ event }) => event } },
    'edit.start': [
      {
        guard: 'canEdit',
        target: 'editing',
        actions: { type: 'begin', params: ({ event }) => event },
      },
      { actions: 'sayReadonly' },
    ],
    'compose.start': {
      guard: 'canEdit',
      target: 'editing.composing',
      actions: { type: 'begin', params: { text: '' } },
    },
    'cells.copy': [
      { guard: 'isTooMany', actions: 'sayTooMany' },
      { guard: 'isFetchable', target: 'fetching', actions: 'keepPending' },
      { guard: 'isUnloaded', actions: ['dropPending', 'sayUnloaded'] },
      { actions: ['dropPending', 'tellCopied'] },
    ],
    'cells.clear': change,
    'cells.fill': change,
    'cells.replace': change,
    'paste.start': [
      {
        guard: { type: 'isOneCell', params: ({ event }) => event },
        actions: [
          { type: 'applyOne', params: ({ event }) => event },
          { type: 'sayMended', params: ({ event }) => event },
          'tellHistory',
        ],
      },
      {
        guard: { type: 'isMatched', params: ({ event }) => event },
        target: 'pasting.matching',
        actions: { type: 'keepPasted', params: ({ event }) => event },
      },
      {
        guard: { type: 'hasCells', params: ({ event }) => event },
        target: 'pasting',
        actions: { type: 'draftBlock', params: ({ event }) => event },
      },
      { actions: 'sayNothing' },
    ],
    'unsaved.show': { guard: 'hasUnsaved', actions: 'showNext' },
    'grid.leave': { target: 'leaving', actions: 'releaseAll' },
    'row.add': { guard: 'mayAdd', actions: 'addRow' },
    'row.revert': { guard: 'canRevert', actions: ['revertRow', 'tellHistory'] },
    'stale.take': {
      guard: 'isStale',
      actions: { type: 'take', params: ({ event }) => event },
    },
    'history.undo': [
      {
        guard: { type: 'isStepOfCells', params: { to: 'undo' } },
        actions: [{ type: 'stepCells', params: { to: 'undo' } }, 'tellHistory'],
      },
      {
        guard: { type: 'isStepOfRows', params: { to: 'undo' } },
        target: 'reverting',
        actions: { type: 'beginRevert', params: { to: 'undo' } },
      },
    ],
    'history.redo': [
      {
        guard: { type: 'isStepOfCells', params: { to: 'redo' } },
        actions: [{ type: 'stepCells', params: { to: 'redo' } }, 'tellHistory'],
      },
      {
        guard: { type: 'isStepOfRows', params: { to: 'redo' } },
        target: 'reverting',
        actions: { type: 'beginRevert', params: { to: 'redo' } },
      },
    ],
  },
})

export const editingState = gridSetup.createStateConfig({
  tags: 'editing',
  initial: 'typing',
  on: {
    'range.select': {
      target: 'selecting',
      actions: ['commit', 'tellHistory', { type: 'select', params: ({ event }) => event }],
    },
    'unsaved.show': {
      guard: 'hasUnsaved',
      target: 'selecting',
      actions: ['commit', 'tellHistory', 'showNext'],
    },
    'grid.leave': { target: 'leaving', actions: ['commit', 'tellHistory', 'releaseAll'] },
    // The rows may change their places: what was typed belongs to the row of before.
    'query.change': { target: 'selecting', actions: ['commit', 'tellHistory'] },
    'grid.refresh': { target: 'selecting', actions: ['commit', 'tellHistory'] },
  },
  states: {
    typing: {
      on: {
        'edit.change': { actions: { type: 'type', params: ({ event }) => event } },
        'edit.commit': {
          target: '#gridEdit.table.ready.selecting',
          actions: ['commit', 'tellHistory', { type: 'step', params: ({ event }) => event }],
        },
        'edit.cancel': { target: '#gridEdit.table.ready.selecting', actions: 'dropEdit' },
        'compose.start': { target: 'composing' },
      },
    },
    // Enter and Escape belong to the input method.
    composing: {
      on: {
        'compose.end': {
          target: 'typing',
          actions: { type: 'type', params: ({ event }) => ({ value: event.text }) },
        },
      },
    },
  },
})
