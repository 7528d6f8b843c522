// Workbooks as people keep them.
import { rawXlsx } from '../../../../apps/server/testing/sheets/raw-xlsx.ts'
import { dataRow, type DirtyFile, headRow, heads, buildSheetRow, usual, wire } from './parts.ts'

const table = headRow() + dataRow(2)
const buildBookStudent = (n: number) => ({ 学号: `D00${n}`, 身份证号: null })

export const books: readonly DirtyFile[] = [
  {
    what: 'a title over merged cells, a date line, and the heading below',
    file: () =>
      rawXlsx({
        rows:
          buildSheetRow(1, '2026 级新生名册') +
          buildSheetRow(2, '填表日期：2026 年 9 月 1 日') +
          headRow(3) +
          dataRow(4),
        after: '<mergeCells count="1"><mergeCell ref="A1:K1"/></mergeCells>',
      }),
    rows: 1,
    first: wire,
  },
  {
    what: 'a table that begins in column B',
    file: () =>
      rawXlsx({
        rows:
          buildSheetRow(1, null, ...heads) +
          buildSheetRow(2, null, ...heads.map((each) => usual[each])),
      }),
    first: wire,
  },
  {
    what: 'classes on sheets of one shape',
    file: () =>
      rawXlsx({
        name: '一班',
        rows: table,
        moreSheets: [
          { name: '二班', rows: headRow() + dataRow(2, buildBookStudent(2)) },
          { name: '三班', rows: headRow() + dataRow(2, buildBookStudent(3)) },
        ],
      }),
    rows: 1,
    first: wire,
    note: '二班',
  },
  {
    what: 'a hidden sheet before the list',
    file: () =>
      rawXlsx({
        name: '名单',
        rows: table,
        moreSheets: [{ name: '字典', rows: buildSheetRow(1, '学号', '姓名'), state: 'hidden' }],
      }),
    first: wire,
  },
  {
    what: 'one faculty merged over three rows',
    file: () =>
      rawXlsx({
        rows:
          table +
          dataRow(3, { ...buildBookStudent(2), 院系: null, 专业: null }) +
          dataRow(4, { ...buildBookStudent(3), 院系: null, 专业: null }),
        after:
          '<mergeCells count="2"><mergeCell ref="I2:I4"/><mergeCell ref="J2:J4"/></mergeCells>',
      }),
    rows: 3,
    first: wire,
    note: '合并单元格',
  },
  {
    what: 'yes and no as logical values',
    file: () => rawXlsx({ rows: headRow() + dataRow(2, { 是否在校: '<c t="b"><v>1</v></c>' }) }),
    first: wire,
  },
  {
    what: 'a student number as a number',
    file: () => rawXlsx({ rows: headRow() + dataRow(2, { 学号: '<c><v>2026010001</v></c>' }) }),
    first: { ...wire, studentNo: '2026010001' },
  },
  {
    what: 'a date with the time of midnight',
    file: () =>
      rawXlsx({
        formats: [0, 22],
        rows: headRow() + dataRow(2, { 出生日期: '<c s="1"><v>38231.0</v></c>' }),
      }),
    first: wire,
  },
  {
    what: 'dates counted from 1904',
    file: () =>
      rawXlsx({
        from1904: true,
        formats: [0, 14],
        rows: headRow() + dataRow(2, { 出生日期: '<c s="1"><v>36769</v></c>' }),
      }),
    first: wire,
  },
  {
    what: 'a name in letters of several fonts, with its reading',
    file: () =>
      rawXlsx({
        strings: [
          '<si><r><t>张</t></r><r><rPr><b/></rPr><t>三</t></r><rPh sb="0" eb="1"><t>zhang</t></rPh></si>',
        ],
        rows: headRow() + dataRow(2, { 姓名: '<c t="s"><v>0</v></c>' }),
      }),
    first: wire,
  },
  {
    what: 'a column of remarks without a heading',
    file: () =>
      rawXlsx({
        rows: headRow() + buildSheetRow(2, ...heads.map((each) => usual[each]), '已电话核实'),
      }),
    asks: '以下列无法对应到字段：L',
  },
  {
    what: 'totals by a formula under the table',
    file: () =>
      rawXlsx({
        rows: `${table}${buildSheetRow(3, '合计', '<c><f>COUNTA(B2:B2)</f><v>1</v></c>')}`,
      }),
    rows: 1,
    first: wire,
  },
  {
    what: 'a rare character that needs two code units',
    file: () => rawXlsx({ rows: headRow() + dataRow(2, { 姓名: '𠮷田' }) }),
    first: { ...wire, name: '𠮷田' },
  },
  {
    what: 'escaped characters and line breaks in a cell',
    file: () => rawXlsx({ rows: headRow() + dataRow(2, { 姓名: '张三_x000D_&#10;' }) }),
    first: wire,
  },
  {
    what: 'parts with backslashes, as some exporters zip them',
    file: () => rawXlsx({ rows: table, separator: '\\' }),
    first: wire,
  },
]
