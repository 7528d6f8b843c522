import { expect, test } from 'vitest'
import type { GridContext } from '../context.ts'
import { newKeyMark, replayCellStep } from './history.ts'

test.each([
  ['is sent where the focus is elsewhere', 0, true],
  ['waits while it has the focus', 2, false],
])('a new row that is typed again by redo %s', (_what, row, isSent) => {
  const key = `${newKeyMark}1`
  const place = { row, col: 0 }
  const cells = [{ key, attrName: 'name', before: null, after: 'x' }]
  const context = {
    config: { fields: [] },
    total: 2,
    blocks: {},
    edits: {},
    added: [{ key, row: null }],
    selection: { anchor: place, focus: place },
    history: { version: 1, undo: [], redo: [{ kind: 'cells', cells }] },
  } as unknown as GridContext
  expect(replayCellStep(context, 'redo').edits[key]).toMatchObject({
    values: { name: 'x' },
    isReleased: isSent,
  })
})
