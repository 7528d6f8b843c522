import { limits } from '@jiaowu/api/limits'
import type { Row } from '@jiaowu/api/entity/values'
import { describe, expect, test } from 'vitest'
import type { GridContext } from '../context.ts'
import { withBlock, withTotal } from './selecting.ts'

const buildNumberedRows = (count: number): Row[] =>
  Array.from({ length: count }, (_row, i) => ({ id: `${i}` }))
const full = limits.gridBlock
/** The total after a block was loaded while another total was known. */
function after(asked: number, count: number, total: number, isEstimate: boolean) {
  const context = {
    asked,
    query: { queries: {}, sorts: [] },
    exactFor: null,
    inexact: false,
    total,
    totalIsEstimate: isEstimate,
    fresh: [],
    sight: [0, 0],
    blocks: {},
    added: [],
    columns: [],
    selection: { anchor: { row: 0, col: 0 }, focus: { row: 0, col: 0 } },
  } as unknown as GridContext
  const next = withBlock(context, {
    rows: buildNumberedRows(count),
    total: null,
    isEstimate: false,
  })
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
  test('that is known exactly is replaced by no estimate, and counted again beside it', () => {
    const place = { row: 0, col: 0 }
    const context = {
      asked: 0,
      query: { queries: {}, sorts: [] },
      exactFor: null,
      fresh: [],
      sight: [0, 0],
      blocks: {},
      added: [],
      columns: [],
      selection: { anchor: place, focus: place },
    } as unknown as GridContext
    const estimate = (of: GridContext) => ({
      ...of,
      ...withBlock(of, { rows: buildNumberedRows(full), total: 230_000, isEstimate: true }),
    })
    const first = estimate(context)
    expect(first).toMatchObject({ total: 230_000, totalIsEstimate: true, inexact: true })
    const known = { ...first, ...withTotal(first, 210_300) }
    expect(known).toMatchObject({ total: 210_300, totalIsEstimate: false, inexact: false })
    expect(estimate(known)).toMatchObject({ total: 210_300, totalIsEstimate: false, inexact: true })
    const sorted = { ...known, query: { queries: {}, sorts: [{ column: 'name', asc: true }] } }
    expect(estimate(sorted)).toMatchObject({ total: 210_300, totalIsEstimate: false })
    const filtered = { ...known, query: { queries: { name: 'x' }, sorts: [] } }
    expect(estimate(filtered)).toMatchObject({
      total: 230_000,
      totalIsEstimate: true,
      inexact: true,
    })
    // A block of the same rows without a number changes nothing.
    const next = withBlock(
      { ...estimate(known), asked: 1 },
      { rows: buildNumberedRows(full), total: null, isEstimate: false },
    )
    expect(next).toMatchObject({ total: 210_300, totalIsEstimate: false, inexact: true })
  })
})
