// Sheets as people make them, each with what the import should make of it.
import { rawXlsx } from '../../../../apps/server/testing/sheets/raw-xlsx.ts'
import { books } from './books.ts'
import {
  csv,
  dataRow,
  type DirtyFile,
  head,
  headRow,
  formatCsvLine,
  ole,
  buildSheetRow,
  createTextFile,
  wire,
  bytes,
} from './parts.ts'
import { texts } from './texts.ts'

const sheets: readonly DirtyFile[] = [
  {
    what: 'a title above the heading',
    file: () => createTextFile(`2026 级学生名册,,\n\n${head()}\n${formatCsvLine()}`),
    first: wire,
  },
  {
    what: 'twelve lines of instructions above the heading',
    file: () =>
      createTextFile(
        `${Array.from({ length: 12 }, (_, n) => `${n + 1}. 说明`).join('\n')}\n${head()}\n${formatCsvLine()}`,
      ),
    first: wire,
  },
  {
    what: 'totals and a note under the table',
    file: () =>
      csv(
        formatCsvLine(),
        '合计,1',
        '',
        '制表人：王五,,审核：赵六',
        '注：以上为初稿，请核对后盖章',
      ),
    rows: 1,
    first: wire,
    note: '没有导入',
  },
  {
    what: 'the heading repeated for each printed page',
    file: () => csv(formatCsvLine(), head(), formatCsvLine({ 学号: 'D002', 身份证号: '' })),
    rows: 2,
    first: wire,
  },
  {
    what: 'semicolons',
    file: () => createTextFile(`${head(';')}\n${formatCsvLine({}, ';')}`),
    first: wire,
  },
  {
    what: 'tabs',
    file: () => createTextFile(`${head('\t')}\n${formatCsvLine({}, '\t')}`, 'a.tsv'),
    first: wire,
  },
  {
    what: 'bars',
    file: () => createTextFile(`${head('|')}\n${formatCsvLine({}, '|')}`, 'a.txt'),
    first: wire,
  },
  {
    what: 'full-width commas',
    file: () => createTextFile(`${head('，')}\n${formatCsvLine({}, '，')}`),
    first: wire,
  },
  {
    what: 'a declared separator',
    file: () => createTextFile(`sep=;\r\n${head(';')}\r\n${formatCsvLine({}, ';')}`),
    first: wire,
  },
  {
    what: 'a byte order mark',
    file: () => createTextFile(`\ufeff${head()}\r\n${formatCsvLine()}\r\n`),
    first: wire,
  },
  {
    what: 'UTF-16 of Excel (Unicode text)',
    file: () =>
      createTextFile(
        bytes(Buffer.from(`\ufeff${head('\t')}\r\n${formatCsvLine({}, '\t')}`, 'utf16le')),
        'a.txt',
      ),
    first: wire,
  },
  {
    what: 'UTF-16 without a mark',
    file: () => createTextFile(bytes(Buffer.from(`${head()}\n${formatCsvLine()}`, 'utf16le'))),
    first: wire,
  },
  {
    what: 'separated text under the name of a workbook',
    file: () => createTextFile(`${head('\t')}\n${formatCsvLine({}, '\t')}`, 'a.xls'),
    first: wire,
  },
  {
    what: 'formulas with stored results',
    file: () =>
      rawXlsx({
        rows: `${headRow()}${dataRow(2, { 姓名: '<c t="str"><f>"张"&amp;"三"</f><v>张三</v></c>', 身高: '<c><f>170+0.5</f><v>170.5</v></c>' })}`,
      }),
    first: wire,
    note: '公式',
  },
  {
    what: 'a formula without a result',
    file: () => rawXlsx({ rows: `${headRow()}${dataRow(2, { 姓名: '<c><f>A1</f></c>' })}` }),
    wrong: ['formula'],
  },
  {
    what: 'an error value',
    file: () =>
      rawXlsx({ rows: `${headRow()}${dataRow(2, { 姓名: '<c t="e"><v>#N/A</v></c>' })}` }),
    wrong: ['errorCell'],
  },
  {
    what: 'a merged cell for two rows',
    file: () =>
      rawXlsx({
        rows: `${headRow()}${dataRow(2)}${dataRow(3, { 学号: 'D002', 身份证号: null, 出生日期: null })}`,
        after: '<mergeCells count="1"><mergeCell ref="F2:F3"/></mergeCells>',
      }),
    rows: 2,
    first: wire,
    note: '合并单元格',
  },
  {
    what: 'the instructions as the first sheet',
    file: () =>
      rawXlsx({
        name: '填写说明',
        rows: buildSheetRow(1, '学号', '姓名', '身份证号', '请按格式填写'),
        moreSheets: [{ name: '名单', rows: headRow() + dataRow(2) }],
      }),
    first: wire,
  },
  {
    what: 'an empty first sheet',
    file: () => rawXlsx({ rows: '', moreSheets: [{ name: '名单', rows: headRow() + dataRow(2) }] }),
    first: wire,
  },
  {
    what: 'macros',
    file: () => rawXlsx({ rows: headRow() + dataRow(2), entries: { 'xl/vbaProject.bin': 'x' } }),
    first: wire,
  },
  {
    what: 'dates and numbers as real cells',
    file: () =>
      rawXlsx({
        formats: [0, 14],
        rows:
          headRow() +
          dataRow(2, { 出生日期: '<c s="1"><v>38231</v></c>', 身高: '<c><v>170.5</v></c>' }),
      }),
    first: wire,
  },
  {
    what: 'an ID number that Excel has rounded',
    file: () =>
      rawXlsx({ rows: headRow() + dataRow(2, { 身份证号: '<c><v>110105194912310000</v></c>' }) }),
    wrong: ['precision'],
  },
]

const named: readonly DirtyFile[] = [
  {
    what: 'xls',
    file: () => createTextFile(ole('Workbook'), 'a.xls'),
    refused: '这是旧版 Excel 文件',
  },
  { what: 'et', file: () => createTextFile(ole('Workbook'), 'a.et'), refused: '这是 WPS 表格文件' },
  {
    what: 'a workbook behind a password',
    file: () => createTextFile(ole('EncryptedPackage'), 'a.xlsx'),
    refused: '文件设有打开密码',
  },
  {
    what: 'a page under the name of a workbook',
    file: () => createTextFile('<html><table><tr><td>学号</td></tr></table></html>', 'a.xls'),
    refused: '这是网页',
  },
  {
    what: 'an XML spreadsheet',
    file: () =>
      createTextFile(
        '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
        'a.xls',
      ),
    refused: '这是 XML 表格',
  },
  {
    what: 'ods',
    file: () =>
      createTextFile(
        'PK\u0003\u0004mimetypeapplication/vnd.oasis.opendocument.spreadsheet',
        'a.ods',
      ),
    refused: '这是 OpenDocument 文件',
  },
  {
    what: 'ods, zipped again',
    file: () =>
      createTextFile('PK\u0003\u0004META-INF/manifest.xml PK\u0003\u0004content.xml', 'a.ods'),
    refused: '这是 OpenDocument 文件',
  },
  {
    what: 'numbers',
    file: () => createTextFile('PK\u0003\u0004Index/Document.iwa', 'a.numbers'),
    refused: '这是苹果 Numbers 文件',
  },
  { what: 'pdf', file: () => createTextFile('%PDF-1.7', 'a.xlsx'), refused: '这是 PDF 文件' },
]

export const dirtyFiles: readonly DirtyFile[] = [...sheets, ...books, ...texts, ...named]
