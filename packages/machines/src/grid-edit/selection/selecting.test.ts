import { limits, type Row } from '@jiaowu/api'
import { describe, expect, test } from 'vitest'
import type { GridContext } from '../context.ts'
import { withBlock } from './selecting.ts'

const rows = (count: number): Row[] => Array.from({ length: count }, (_row, i) => ({ id: `${i}` }))
const full = limits.gridBlock
/** The total after a block was loaded while another total was known. */
function after(asked: number, count: number, total: number, isEstimate: boolean) {
  const context = {
    asked,
    total,
    totalIsEstimate: isEstimate,
    fresh: [],
    sight: [0, 0],
    blocks: {},
    added: [],
    columns: [],
    selection: { anchor: { row: 0, col: 0 }, focus: { row: 0, col: 0 } },
  } as unknown as GridContext
  const next = withBlock(context, { rows: rows(count), total: null, isEstimate: false })
  return [next.total, next.totalIsEstimate]
}

describe('the number of rows', () => {
  test('is exact once the last block is seen, however wrong the estimate was', () => {
    expect(after(3, 42, 400, true)).toEqual([342, false])
    expect(after(3, 42, 300, true)).toEqual([342, false])
  })
  test('shrinks where a block is empty, so that the one before is loaded', () => {
    expect(after(3, 0, 342, true)).toEqual([300, false])
    expect(after(0, 0, 5, true)).toEqual([0, false])
  })
  test('grows where the block that an estimate ends in is full', () => {
    expect(after(3, full, 395, true)).toEqual([500, true])
    expect(after(3, full, 400, true)).toEqual([500, true])
  })
  test('stays where it was counted', () => {
    expect(after(3, full, 400, false)).toEqual([400, false])
    expect(after(1, full, 950, true)).toEqual([950, true])
  })
})
