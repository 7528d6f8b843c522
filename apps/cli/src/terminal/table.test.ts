import { describe, expect, it } from 'vitest'
import { createPaint, fit, fittedTable, measureText, recordLines } from './table.ts'

const marked = [
  ['decomposed é', 'e\u0301', 1],
  ['Thai with a vowel above', 'กี', 1],
  ['Devanagari with a sign', 'कि', 2],
  ['a family joined of three', '👨‍👩‍👧', 2],
  ['a flag', '🇨🇳', 2],
  ['a hand with a skin colour', '👍🏽', 2],
  ['a Han letter beyond the first plane', '𠮷', 2],
  ['a Han letter with a variation selector', '葛󠄀', 2],
  ['a full-width letter', 'Ａ', 2],
  ['a half-width kana with a mark', 'ｶﾞ', 2],
  ['Hangul of parts', '각', 2],
] as const

describe('texts in columns', () => {
  it.each(marked)('%s (%s) takes its columns', (_name, text, width) => {
    expect(measureText(text)).toBe(width)
    expect(measureText(fit(text, 6))).toBe(6)
  })
  it.each(marked)('a cut never parts %s', (_name, text) => {
    const long = text.repeat(9)
    for (let width = 1; width <= 12; width += 1) {
      const cut = fit(long, width)
      expect(measureText(cut)).toBe(width)
      const kept = cut.replace(/…? *$/, '')
      expect(kept.length % text.length).toBe(0)
    }
  })
  it('counts Chinese characters as two columns when it aligns', () => {
    const rows = [
      ['张三', '1'],
      ['a', '22'],
    ]
    expect(fittedTable(['名', 'n'], rows).lines).toEqual(['名    n', '张三  1', 'a     22'])
  })
  it('cuts long cells and joins lines', () => {
    expect(fittedTable(['h'], [['一二三四五六']], 6).lines).toEqual(['h', '一二…'])
    expect(fittedTable(['h'], [['a\nb']]).lines).toEqual(['h', 'a b'])
  })
})

describe('a table on a terminal', () => {
  const heads = Array.from({ length: 12 }, (_none, i) => `列${i}`)
  const rows = marked.map(([, text]) => heads.map((_head, i) => text.repeat(i + 1)))
  it.each([20, 60, 80, 100, 160, 200])('fits %i columns, and names what has no room', (room) => {
    const { lines, hidden } = fittedTable(heads, rows, room)
    expect(Math.max(...lines.map(measureText))).toBeLessThanOrEqual(room)
    const [head = ''] = lines
    expect([...(head.match(/列\d+/g) ?? []), ...hidden]).toEqual(heads)
  })
  it('shows everything where a line may be long', () => {
    expect(fittedTable(heads, rows).hidden).toEqual([])
  })
  it('fits 60, 100 and 160 columns, the last columns left out', () => {
    const heads = Array.from({ length: 15 }, (_, n) => `第${n}列`)
    const row = heads.map((_, n) => `值${'长'.repeat(n)}`)
    for (const room of [60, 100, 160]) {
      const { lines, hidden } = fittedTable(heads, [row], room)
      for (const line of lines) expect(measureText(line)).toBeLessThanOrEqual(room)
      expect(hidden).toEqual(heads.slice(heads.length - hidden.length))
    }
  })
  it('shows records as blocks without empty values', () => {
    const table = {
      heads: ['id', '姓名', '状态'],
      cells: [
        ['1', '张三', ''],
        ['2', '', '在读'],
      ],
    }
    expect(recordLines(table)).toEqual(['id    1', '姓名  张三', '', 'id    2', '状态  在读'])
  })
  it('colours tones without changing widths', () => {
    const cells = [['1', '在读']]
    const table = {
      heads: ['id', '状态'],
      cells,
      toneAt: (_row: number, column: number) => (column === 1 ? ('green' as const) : undefined),
    }
    const { lines } = fittedTable(table.heads, cells, 40, createPaint(table))
    expect(lines).toEqual(['id  状态', '1   \u001b[32m在读\u001b[39m'])
  })
})
