// Sheets and cells as people make them, each with what the import should make of it.
import { rawXlsx } from '../../../../apps/server/testing/raw-xlsx.ts'

/** Expected: the values of the first data row by attrName, or the start of the refusal. */
export interface DirtyFile {
  readonly what: string
  readonly file: () => File | Promise<File>
  readonly rows?: number
  readonly first?: Readonly<Record<string, unknown>>
  /** Rules of the wrong cells, in order. */
  readonly wrong?: readonly string[]
  readonly note?: string
  readonly refused?: string
}

const heads = [
  ...(['学号', '姓名', '身份证号', '手机号', '身高', '出生日期', '是否在校'] as const),
  ...(['性别', '院系', '专业', '学籍状态'] as const),
]
type Head = (typeof heads)[number]
const usual: Record<Head, string> = {
  学号: 'D001',
  姓名: '张三',
  身份证号: '11010519491231002X',
  手机号: '13800000001',
  身高: '170.5',
  出生日期: '2004-09-01',
  是否在校: '是',
  性别: '男',
  院系: '信息工程学院',
  专业: '软件工程',
  学籍状态: '在读',
}
const wire = {
  studentNo: 'D001',
  name: '张三',
  idCard: '11010519491231002X',
  mobile: '13800000001',
  height: '170.5',
  birthDate: '2004-09-01',
  onCampus: '1',
}

const line = (cells: Partial<Record<Head, string>> = {}, separator = ',') =>
  heads
    .map((head) => ({ ...usual, ...cells })[head])
    .map((text) => (/[",\n;|]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join(separator)
const head = (separator = ',') => heads.join(separator)
const text = (content: string | Uint8Array<ArrayBuffer>, name = 'a.csv') =>
  new File([content], name)
const csv = (...lines: string[]) => text([head(), ...lines].join('\n'))
const bytes = (buffer: Buffer) => new Uint8Array(buffer)

/** A cell as a person types it: the value it stands for, or the rule that it breaks. */
export interface DirtyCell {
  readonly column: Head
  readonly cell: string
  readonly value?: string
  readonly wrong?: string
}

function inline(at: string, content: string) {
  return `<c r="${at}" t="inlineStr"><is><t>${content}</t></is></c>`
}
function row(n: number, ...cells: readonly (string | null)[]) {
  const found = cells.map((cell, i) =>
    cell === null
      ? ''
      : cell.startsWith('<')
        ? cell.replace('<c', `<c r="${String.fromCharCode(65 + i)}${n}"`)
        : inline(`${String.fromCharCode(65 + i)}${n}`, cell),
  )
  return `<row r="${n}">${found.join('')}</row>`
}
const headRow = (n = 1) => row(n, ...heads)
const dataRow = (n: number, cells: Partial<Record<Head, string | null>> = {}) =>
  row(n, ...heads.map((each) => (each in cells ? (cells[each] ?? null) : usual[each])))

export const dirtyCells: readonly DirtyCell[] = [
  { column: '学号', cell: '２０９９０１００００', value: '2099010000' },
  { column: '学号', cell: '="0123"', value: '0123' },
  { column: '学号', cell: "'0124", value: '0124' },
  { column: '学号', cell: '\u200bD001\ufeff', value: 'D001' },
  { column: '姓名', cell: '\u00a0张三 ', value: '张三' },
  { column: '姓名', cell: '欧阳·娜娜', value: '欧阳·娜娜' },
  { column: '身份证号', cell: '110105 19491231 002x', value: wire.idCard },
  { column: '身份证号', cell: '１１０１０５１９５０１２３１００２１', value: '110105195012310021' },
  { column: '身份证号', cell: '1.10105E+17', wrong: 'precision' },
  { column: '手机号', cell: '138 0000 0001', value: wire.mobile },
  { column: '手机号', cell: '138-0000-0001', value: wire.mobile },
  { column: '手机号', cell: '+86 13800000001', value: wire.mobile },
  { column: '手机号', cell: '13800000001.0', value: wire.mobile },
  { column: '身高', cell: '１７０．５', value: '170.5' },
  { column: '身高', cell: '170.5cm', value: '170.5' },
  { column: '身高', cell: '1,170.5', value: '1170.5' },
  { column: '身高', cell: '85 %', value: '85' },
  { column: '身高', cell: '高', wrong: 'value' },
  { column: '出生日期', cell: '2004/9/1', value: wire.birthDate },
  { column: '出生日期', cell: '2004.9.1', value: wire.birthDate },
  { column: '出生日期', cell: '20040901', value: wire.birthDate },
  { column: '出生日期', cell: '2004年9月1日', value: wire.birthDate },
  { column: '出生日期', cell: '二〇〇四年九月一日', value: wire.birthDate },
  { column: '出生日期', cell: '民国93年9月1日', value: wire.birthDate },
  { column: '出生日期', cell: '1 Sep 2004', value: wire.birthDate },
  { column: '出生日期', cell: '31/12/2004', value: '2004-12-31' },
  { column: '出生日期', cell: '38231', value: wire.birthDate },
  { column: '出生日期', cell: '9/1/2004', wrong: 'value' },
  { column: '出生日期', cell: '2004-02-30', wrong: 'value' },
  { column: '是否在校', cell: '√', value: '1' },
  { column: '是否在校', cell: '×', value: '0' },
]

const sheets: readonly DirtyFile[] = [
  {
    what: 'a title above the heading',
    file: () => text(`2026 级学生名册,,\n\n${head()}\n${line()}`),
    first: wire,
  },
  {
    what: 'twelve lines of instructions above the heading',
    file: () =>
      text(
        `${Array.from({ length: 12 }, (_, n) => `${n + 1}. 说明`).join('\n')}\n${head()}\n${line()}`,
      ),
    first: wire,
  },
  {
    what: 'totals and a note under the table',
    file: () =>
      csv(line(), '合计,1', '', '制表人：王五,,审核：赵六', '注：以上为初稿，请核对后盖章'),
    rows: 1,
    first: wire,
    note: '没有导入',
  },
  {
    what: 'the heading repeated for each printed page',
    file: () => csv(line(), head(), line({ 学号: 'D002', 身份证号: '' })),
    rows: 2,
    first: wire,
  },
  { what: 'semicolons', file: () => text(`${head(';')}\n${line({}, ';')}`), first: wire },
  { what: 'tabs', file: () => text(`${head('\t')}\n${line({}, '\t')}`, 'a.tsv'), first: wire },
  { what: 'bars', file: () => text(`${head('|')}\n${line({}, '|')}`, 'a.txt'), first: wire },
  { what: 'full-width commas', file: () => text(`${head('，')}\n${line({}, '，')}`), first: wire },
  {
    what: 'a declared separator',
    file: () => text(`sep=;\r\n${head(';')}\r\n${line({}, ';')}`),
    first: wire,
  },
  { what: 'a byte order mark', file: () => text(`\ufeff${head()}\r\n${line()}\r\n`), first: wire },
  {
    what: 'UTF-16 of Excel (Unicode text)',
    file: () =>
      text(bytes(Buffer.from(`\ufeff${head('\t')}\r\n${line({}, '\t')}`, 'utf16le')), 'a.txt'),
    first: wire,
  },
  {
    what: 'UTF-16 without a mark',
    file: () => text(bytes(Buffer.from(`${head()}\n${line()}`, 'utf16le'))),
    first: wire,
  },
  {
    what: 'separated text under the name of a workbook',
    file: () => text(`${head('\t')}\n${line({}, '\t')}`, 'a.xls'),
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
        rows: row(1, '学号', '姓名', '身份证号', '请按格式填写'),
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

const ole = (...streams: string[]) =>
  bytes(
    Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.alloc(512),
      ...streams.map((stream) => Buffer.from(stream, 'utf16le')),
    ]),
  )
const named: readonly DirtyFile[] = [
  { what: 'xls', file: () => text(ole('Workbook'), 'a.xls'), refused: '这是旧版 Excel 文件' },
  { what: 'et', file: () => text(ole('Workbook'), 'a.et'), refused: '这是 WPS 表格文件' },
  {
    what: 'a workbook behind a password',
    file: () => text(ole('EncryptedPackage'), 'a.xlsx'),
    refused: '文件设有打开密码',
  },
  {
    what: 'a page under the name of a workbook',
    file: () => text('<html><table><tr><td>学号</td></tr></table></html>', 'a.xls'),
    refused: '这是网页',
  },
  {
    what: 'an XML spreadsheet',
    file: () =>
      text(
        '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
        'a.xls',
      ),
    refused: '这是 XML 表格',
  },
  {
    what: 'ods',
    file: () =>
      text('PK\u0003\u0004mimetypeapplication/vnd.oasis.opendocument.spreadsheet', 'a.ods'),
    refused: '这是 OpenDocument 文件',
  },
  {
    what: 'ods, zipped again',
    file: () => text('PK\u0003\u0004META-INF/manifest.xml PK\u0003\u0004content.xml', 'a.ods'),
    refused: '这是 OpenDocument 文件',
  },
  {
    what: 'numbers',
    file: () => text('PK\u0003\u0004Index/Document.iwa', 'a.numbers'),
    refused: '这是苹果 Numbers 文件',
  },
  { what: 'pdf', file: () => text('%PDF-1.7', 'a.xlsx'), refused: '这是 PDF 文件' },
]

export const dirtyFiles: readonly DirtyFile[] = [...sheets, ...named]

/** One row for each cell, in their order. */
export function fileOfCells(): File {
  return csv(
    ...dirtyCells.map(({ column, cell }, i) =>
      line({ 学号: `C${i}`, 身份证号: '', [column]: cell }),
    ),
  )
}
export const attrNameOf: Readonly<Partial<Record<Head, string>>> = {
  学号: 'studentNo',
  姓名: 'name',
  身份证号: 'idCard',
  手机号: 'mobile',
  身高: 'height',
  出生日期: 'birthDate',
  是否在校: 'onCampus',
}
