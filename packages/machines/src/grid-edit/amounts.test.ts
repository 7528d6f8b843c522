import type { Field } from '@jiaowu/api/entity/config'
import type { WireValue } from '@jiaowu/api/entity/values'
import { describe, expect, it } from 'vitest'
import type { GridContext } from './context.ts'
import { changeCells, pastedValue } from './edits/edits.ts'
import { selectedBlock } from './clipboard/paste.ts'
import { commitEdit } from './selection/selecting.ts'
import { gridCell } from './view.ts'

const fee = {
  attrName: 'fee',
  uiType: 'inputNumber',
  uiLabel: '学费',
  valids: {},
  options: { money: 'fen' },
  isAdd: 1,
  isEdit: 1,
} as Field
const place = { row: 0, col: 0 }
const context = {
  config: null,
  columns: [fee],
  mayEdit: true,
  open: {},
  total: 1,
  blocks: { 0: [{ id: '1', fee: 1250 }] },
  added: [],
  edits: {},
  history: { version: 1, undo: [], redo: [] },
  selection: { anchor: place, focus: place },
} as unknown as GridContext

function typeAmount(value: WireValue) {
  const part = commitEdit({ ...context, edit: { value, isTyped: true } })
  return gridCell({ ...context, ...part }, 0, 0)
}

describe('amounts in a grid', () => {
  it('are shown and copied in yuan', () => {
    expect(gridCell(context, 0, 0)?.text).toBe('12.50')
    expect(selectedBlock(context)).toEqual([['12.50']])
  })
  it.each([
    ['1,200', 120_000, '1200.00', 'unsaved'],
    ['￥3', 300, '3.00', 'unsaved'],
    ['12.5', 1250, '12.50', 'stored'],
  ])('%s is %d fen', (text, value, shown, state) =>
    expect(typeAmount(text)).toMatchObject({ value, text: shown, state, fault: null }),
  )
  it.each([
    ['12.345', 'rule.amountDecimals'],
    ['十二', 'rule.amount'],
    ['99999999999999', 'rule.amountRange'],
  ])('%s is refused and stays what was typed, also when it is read again', (text, key) => {
    const cell = typeAmount(text)
    expect(cell).toMatchObject({ state: 'refused', fault: { key } })
    expect(cell?.text.startsWith(text)).toBe(true)
    const again = changeCells(context, [{ index: 0, field: fee, value: cell?.value ?? null }])
    expect(again.edits['1']?.faults).toMatchObject({ fee: { key } })
  })
  it('are pasted in yuan', () =>
    expect(
      ['1,200.5', '', '12.345', '99999999999999'].map((text) => pastedValue(fee, text)),
    ).toEqual([120_050, null, '12.345', '99999999999999元']))
})
