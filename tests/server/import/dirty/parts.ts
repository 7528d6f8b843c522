// Parts of which sheets are made, and what is expected of one.
/** Expected: the values of the first data row by attrName, the refusal, or the question. */
export interface DirtyFile {
  readonly what: string
  readonly file: () => File | Promise<File>
  readonly rows?: number
  readonly first?: Readonly<Record<string, unknown>>
  /** Rules of the wrong cells, in order. */
  readonly wrong?: readonly string[]
  readonly note?: string
  readonly refused?: string
  /** The start of the question that the import waits with. */
  readonly asks?: string
  /** How it differs from that, as long as it does. */
  readonly known?: string
}

export const heads = [
  ...(['学号', '姓名', '身份证号', '手机号', '身高', '出生日期', '是否在校'] as const),
  ...(['性别', '院系', '专业', '学籍状态'] as const),
]
export type Head = (typeof heads)[number]
export const usual: Record<Head, string> = {
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
export const wire = {
  studentNo: 'D001',
  name: '张三',
  idCard: '11010519491231002X',
  mobile: '13800000001',
  height: '170.5',
  birthDate: '2004-09-01',
  onCampus: '1',
}

export const formatCsvLine = (cells: Partial<Record<Head, string>> = {}, separator = ',') =>
  heads
    .map((head) => ({ ...usual, ...cells })[head])
    .map((text) => (/[",\n;|]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join(separator)
export const head = (separator = ',') => heads.join(separator)
export const createTextFile = (content: string | Uint8Array<ArrayBuffer>, name = 'a.csv') =>
  new File([content], name)
export const csv = (...lines: string[]) => createTextFile([head(), ...lines].join('\n'))
export const bytes = (buffer: Buffer) => new Uint8Array(buffer)

function inline(at: string, content: string) {
  return `<c r="${at}" t="inlineStr"><is><t>${content}</t></is></c>`
}
export function buildSheetRow(n: number, ...cells: readonly (string | null)[]) {
  const found = cells.map((cell, i) =>
    cell === null
      ? ''
      : cell.startsWith('<')
        ? cell.replace('<c', `<c r="${String.fromCharCode(65 + i)}${n}"`)
        : inline(`${String.fromCharCode(65 + i)}${n}`, cell),
  )
  return `<row r="${n}">${found.join('')}</row>`
}
export const headRow = (n = 1) => buildSheetRow(n, ...heads)
export const dataRow = (n: number, cells: Partial<Record<Head, string | null>> = {}) =>
  buildSheetRow(n, ...heads.map((each) => (each in cells ? (cells[each] ?? null) : usual[each])))

export const ole = (...streams: string[]) =>
  bytes(
    Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.alloc(512),
      ...streams.map((stream) => Buffer.from(stream, 'utf16le')),
    ]),
  )
