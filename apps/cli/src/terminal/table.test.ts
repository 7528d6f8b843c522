import { describe, expect, it } from 'vitest'
import { fit, fittedTable, measureText } from './table.ts'

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
})
