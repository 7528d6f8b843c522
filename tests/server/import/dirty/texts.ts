// Text files as programs and people save them.
import {
  bytes,
  csv,
  type DirtyFile,
  head,
  heads,
  formatCsvLine,
  createTextFile,
  wire,
} from './parts.ts'

const second = formatCsvLine({ 学号: 'D002', 身份证号: '' })
const spaced = heads.map((each) => (each === '姓名' ? '姓 名' : each)).join()
const marked = heads
  .map(
    (each) => ({ 学号: '学号*', 姓名: '姓名（必填）', 身高: '身高(cm)' })[each as '学号'] ?? each,
  )
  .join()

/** The encoder that no runtime has: the decoder, backwards. */
function encodeText(content: string, name: 'gb18030' | 'big5'): Uint8Array<ArrayBuffer> {
  const decoder = new TextDecoder(name)
  const pairs = new Map<string, readonly number[]>()
  for (let lead = 0x81; lead < 0xff; lead += 1)
    for (let trail = 0x40; trail < 0xff; trail += 1)
      pairs.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail])
  return Uint8Array.from(
    [...content].flatMap((letter) => pairs.get(letter) ?? [letter.charCodeAt(0)]),
  )
}

/** A byte that no encoding of Chinese has in this place. */
function withStrayByte(content: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...content, 0xff, 0x0a])
}

export const texts: readonly DirtyFile[] = [
  {
    what: 'GB18030, as Excel in China saves csv',
    file: () => createTextFile(encodeText(`${head()}\r\n${formatCsvLine()}\r\n`, 'gb18030')),
    first: wire,
  },
  {
    what: 'GB18030 with a stray byte',
    file: () =>
      createTextFile(withStrayByte(encodeText(`${head()}\n${formatCsvLine()}\n`, 'gb18030'))),
    asks: '文件中有字符不符合',
  },
  {
    what: 'UTF-8 that was cut off in a character',
    file: () =>
      createTextFile(
        bytes(Buffer.from(`${head()}\n${formatCsvLine()}\n${second}`).subarray(0, -2)),
      ),
    asks: '文件中有字符不符合',
  },
  {
    what: 'Big5',
    file: () => createTextFile(encodeText('學號,姓名\nD001,陳大文\nD002,林美麗\n', 'big5')),
    asks: '无法对应到字段',
  },
  {
    what: 'UTF-16, big-endian',
    file: () =>
      createTextFile(
        bytes(Buffer.from(`\ufeff${head('\t')}\n${formatCsvLine({}, '\t')}`, 'utf16le').swap16()),
      ),
    first: wire,
  },
  {
    what: 'line ends of an old Macintosh',
    file: () => createTextFile(`${head()}\r${formatCsvLine()}\r${second}\r`),
    rows: 2,
    first: wire,
  },
  {
    what: 'a line break in a quoted cell',
    file: () => csv(formatCsvLine({ 姓名: '张\n三' }), second),
    rows: 2,
    first: { studentNo: 'D001', name: '张 三' },
  },
  {
    what: 'a separator in a quoted cell',
    file: () => csv(formatCsvLine({ 姓名: '张, 三' })),
    first: { ...wire, name: '张, 三' },
  },
  {
    what: 'a quote inside an unquoted cell',
    file: () => createTextFile(`${head()}\n${formatCsvLine().replace('张三', '张"三')}`),
    first: { ...wire, name: '张"三' },
  },
  {
    what: 'separators behind the last column',
    file: () => createTextFile(`${head()},,,\n${formatCsvLine()},,,\n,,,,,,,,,,,,,\n`),
    rows: 1,
    first: wire,
  },
  {
    what: 'every cell in quotes',
    file: () =>
      createTextFile(
        [head(), formatCsvLine()]
          .map((each) =>
            each
              .split(',')
              .map((cell) => `"${cell}"`)
              .join(),
          )
          .join('\n'),
      ),
    first: wire,
  },
  {
    what: 'blanks inside a heading',
    file: () => createTextFile(`${spaced}\n${formatCsvLine()}`),
    first: wire,
  },
  {
    what: 'headings with a star, a remark and a unit',
    file: () => createTextFile(`${marked}\n${formatCsvLine()}`),
    first: wire,
  },
  {
    what: 'a column of serial numbers',
    file: () => createTextFile(`序号,${head()}\n1,${formatCsvLine()}\n2,${second}\n`),
    rows: 2,
    first: wire,
    note: '序号',
  },
  {
    what: 'a column that no field has',
    file: () => createTextFile(`${head()},座位\n${formatCsvLine()},3 排 5 座\n`),
    asks: '以下列无法对应到字段：座位',
  },
  {
    what: 'columns in another order',
    file: () =>
      createTextFile(
        [head(), formatCsvLine()].map((each) => each.split(',').toReversed().join()).join('\n'),
      ),
    first: wire,
  },
  {
    what: 'blank lines between the rows',
    file: () => csv('', formatCsvLine(), '', ',,,', second, ''),
    rows: 2,
    first: wire,
  },
  {
    what: 'the same student twice, once in full width',
    file: () => csv(formatCsvLine(), formatCsvLine({ 学号: 'Ｄ００１', 身份证号: '' })),
    rows: 2,
    wrong: ['duplicate'],
  },
  {
    what: 'no heading at all',
    file: () => createTextFile(`${formatCsvLine()}\n${second}`),
    asks: '没有找到表头',
  },
  {
    what: 'a heading alone',
    file: () => csv(),
    refused: '文件中没有数据行',
  },
  { what: 'an empty file', file: () => createTextFile(''), refused: '文件' },
]
