import { describe, expect, test } from 'vitest'
import { parseHtmlTable } from './html-table.ts'
import {
  extendSeries,
  formatBlock,
  htmlOfBlock,
  parseBlock,
  pastedBlock,
  tileBlock,
} from './clipboard.ts'

describe('a block from the clipboard', () => {
  test('the line break after the last row begins no row', () => {
    expect(parseBlock('1\t2\r\n3\t4\r\n')).toEqual([
      ['1', '2'],
      ['3', '4'],
    ])
    expect(parseBlock('1\n\n')).toEqual([['1'], ['']])
    expect(parseBlock('')).toEqual([])
  })
  test('a quoted cell of four lines is one cell', () => {
    expect(parseBlock('a\t"1\r\n2\r\n3\r\n4"\tb\n')).toEqual([['a', '1\n2\n3\n4', 'b']])
  })
  test('doubled quotes are one quote, and tabs in quotes no border', () => {
    expect(parseBlock('"say ""hi"""\t"a\tb"')).toEqual([['say "hi"', 'a\tb']])
  })
  test('a quote that nothing ends is text', () => {
    expect(parseBlock('"5 inch\tb')).toEqual([['"5 inch', 'b']])
    expect(parseBlock('"a"b\tc')).toEqual([['"a"b', 'c']])
    expect(parseBlock('5" disk\tc')).toEqual([['5" disk', 'c']])
  })
  test('empty cells stay where they are', () => {
    expect(parseBlock('\t\ta\n\t\t')).toEqual([
      ['', '', 'a'],
      ['', '', ''],
    ])
  })
  test('what is written is read again', () => {
    const block = [
      ['a', 'b\nc', '"'],
      ['', 'd\te', '""x'],
    ]
    expect(parseBlock(`${formatBlock(block)}\n`)).toEqual(block)
    expect(parseBlock(formatBlock(block))).toEqual(block)
  })
  test('every block comes back whole', () => {
    const cells = [
      '',
      'a',
      ' a ',
      '0012',
      '"',
      '""',
      '\t',
      '\n',
      'a\nb',
      '\ufeffa',
      '"a"\tb',
      '=1+1',
      '，',
    ]
    for (const first of cells) {
      expect(parseBlock(formatBlock([[first]]))).toEqual([[first]])
      for (const second of cells)
        for (const block of [[[first, second]], [[first], [second]], [[first], [second], ['']]])
          expect(parseBlock(formatBlock(block))).toEqual(block)
    }
    expect(formatBlock([])).toBe('')
  })
  test('one cell that is not empty has no line break after it', () => {
    expect(formatBlock([['a']])).toBe('a')
    expect(formatBlock([['']])).toBe('\n')
  })
  test('the table beside the text is taken where the text has lost cells', () => {
    expect(pastedBlock('', [['']])).toEqual([['']])
    expect(pastedBlock('a\r\n', [['a']])).toEqual([['a']])
    expect(pastedBlock('a\nb\tc', [['a\nb', 'c']])).toEqual([['a\nb', 'c']])
    expect(pastedBlock('a', null)).toEqual([['a']])
    expect(pastedBlock('a', [])).toEqual([['a']])
  })
  test('html that is written is read again', () => {
    const cells = ['', 'a', ' a  b ', '0012', '<b>&amp;"', "'", 'a\nb', '2024050078', '，', '\ta']
    for (const first of cells)
      for (const second of cells) {
        const block = [[first, second], [second]]
        expect(parseHtmlTable(htmlOfBlock(block))).toEqual(block)
        expect(pastedBlock(formatBlock(block), parseHtmlTable(htmlOfBlock(block)))).toEqual(block)
      }
  })
  test('html of spreadsheets and pages', () => {
    expect(
      parseHtmlTable(
        `<html><head><style>td{a:b}</style></head><body><!--StartFragment--><table border="0" title="a>b">
          <col width=72><tr height=18>\n<td class=xl65 x:num>1</td>
          <td>a<br style='mso-data-placement:same-cell'>\n b&nbsp;&#x4e2d;&#22269;</td></tr>
          <tr><td colspan=2><b>c</b> d</td></tr><!--EndFragment--></table></body></html>`,
      ),
    ).toEqual([
      ['1', 'a\nb 中国'],
      ['c d', ''],
    ])
    expect(parseHtmlTable('<p>a</p>')).toBeNull()
    expect(parseHtmlTable('<table></table><table></table>')).toBeNull()
  })
  test('html keeps blanks, and digits that a number would lose', () => {
    expect(htmlOfBlock([['0012', '202405007812', ' a', '12']])).toBe(
      `<table><tr><td style="mso-number-format:'\\@'">0012</td>` +
        `<td style="mso-number-format:'\\@'">202405007812</td>` +
        '<td style="white-space:pre-wrap"> a</td><td>12</td></tr></table>',
    )
  })
  test('html holds the text of the cells as text', () => {
    expect(htmlOfBlock([['<b>&', 'a\nb']])).toBe(
      '<table><tr><td>&lt;b&gt;&amp;</td><td>a<br>b</td></tr></table>',
    )
  })
})

describe('a block over a selection', () => {
  test('one row fills ten selected rows', () => {
    expect(tileBlock([['a', 'b']], 10, 2)).toEqual(Array.from({ length: 10 }, () => ['a', 'b']))
  })
  test('a block is repeated over a multiple of its size, in both directions', () => {
    expect(tileBlock([['1', '2']], 2, 4)).toEqual([
      ['1', '2', '1', '2'],
      ['1', '2', '1', '2'],
    ])
  })
  test('it keeps its size over any other selection', () => {
    expect(tileBlock([['1'], ['2']], 3, 1)).toEqual([['1'], ['2']])
    expect(tileBlock([['1'], ['2']], 1, 1)).toEqual([['1'], ['2']])
    expect(tileBlock([], 3, 3)).toEqual([])
  })
  test('rows of different lengths are filled up with empty cells', () => {
    expect(tileBlock([['1', '2'], ['3']], 1, 1)).toEqual([
      ['1', '2'],
      ['3', ''],
    ])
  })
})

describe('filling', () => {
  test('one value is repeated, two numbers make a series', () => {
    expect(extendSeries(['a'], 3)).toEqual(['a', 'a', 'a'])
    expect(extendSeries([7], 2)).toEqual([7, 7])
    expect(extendSeries([1, 3], 3)).toEqual([5, 7, 9])
    expect(extendSeries([0.1, 0.2], 2)).toEqual([0.3, 0.4])
    expect(extendSeries([1, 2, 4], 4)).toEqual([1, 2, 4, 1])
    expect(extendSeries(['x', 'y'], 3)).toEqual(['x', 'y', 'x'])
  })
})
