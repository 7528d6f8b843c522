// Reads the small parts of an xlsx: its sheets, its shared strings, and which number formats show a
// date or time.
import { posix } from 'node:path'
import { type Archive } from './zip.ts'
import { FileProblem } from './model.ts'
import { readXml } from './xml.ts'

interface SheetEntry {
  readonly name: string
  readonly path: string
  readonly visible: boolean
}
/**
 * The parts of a number format that matter to an import. `pad`: digits to fill with leading zeros,
 * or 0.
 */
export interface NumberStyle {
  readonly isDateTime: boolean
  readonly isPercent?: boolean
  readonly pad: number
}
export interface Workbook {
  readonly sheets: readonly SheetEntry[]
  /** Whether dates count from 1904, the old Mac default. */
  readonly from1904: boolean
  readonly sharedStrings: string | null
  readonly styles: string | null
}

/** Macros of an xlsm are left unread. @throws FileProblem when the zip is not a workbook */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const root = [...(await relations(archive, '')).values()].find(
    ({ type }) => type === 'officeDocument',
  )
  const path = root?.target ?? 'xl/workbook.xml'
  if (!archive.has(path)) throw new FileProblem({ key: 'transfer.file.notXlsx' })
  const related = await relations(archive, path)
  const sheets: SheetEntry[] = []
  let from1904 = false
  await readXml(await archive.open(path), {
    open: (name, attributes) => {
      if (name === 'workbookPr') from1904 = ['1', 'true', 'on'].includes(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      const target = related.get(attributeNamed(attributes, 'id'))
      if (target?.type === 'worksheet' && archive.has(target.target))
        sheets.push({
          name: attributes.name ?? '',
          path: target.target,
          visible: (attributes.state ?? 'visible') === 'visible',
        })
    },
  })
  const partOf = (type: string): string | null => {
    const found = [...related.values()].find((each) => each.type === type)?.target
    return found !== undefined && archive.has(found) ? found : null
  }
  return { sheets, from1904, sharedStrings: partOf('sharedStrings'), styles: partOf('styles') }
}

async function relations(
  archive: Archive,
  path: string,
): Promise<ReadonlyMap<string, { type: string; target: string }>> {
  const found = new Map<string, { type: string; target: string }>()
  const file = posix.join(posix.dirname(path), '_rels', `${posix.basename(path)}.rels`)
  if (!archive.has(file)) return found
  await readXml(await archive.open(file), {
    open: (name, { Id = '', Type = '', Target = '', TargetMode = '' }) => {
      if (name !== 'Relationship' || TargetMode === 'External') return
      found.set(Id, {
        type: Type.slice(Type.lastIndexOf('/') + 1),
        target: Target.startsWith('/') ? Target.slice(1) : posix.join(posix.dirname(path), Target),
      })
    },
  })
  return found
}

function attributeNamed(attributes: Readonly<Record<string, string>>, name: string): string {
  return (
    attributes[name] ??
    Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1] ??
    ''
  )
}

/** Decodes Excel's escapes for characters that XML cannot contain, such as `_x000D_`. */
export function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_whole, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text
}

/** Collects the text of an `si` or `is` element: all its runs, without phonetic guides (`rPh`). */
export function textCollector() {
  let [text, inText, inPhonetic] = ['', false, false]
  return {
    reset: () => {
      text = ''
    },
    open: (name: string) => {
      if (name === 't') inText = true
      else if (name === 'rPh') inPhonetic = true
    },
    text: (piece: string) => {
      if (inText && !inPhonetic) text += piece
    },
    close: (name: string) => {
      if (name === 't') inText = false
      else if (name === 'rPh') inPhonetic = false
    },
    collected: () => unescapeText(text),
  }
}

export async function readSharedStrings(
  archive: Archive,
  path: string | null,
): Promise<readonly string[]> {
  const strings: string[] = []
  if (path === null) return strings
  const collector = textCollector()
  await readXml(await archive.open(path), {
    open: (name) => {
      if (name === 'si') collector.reset()
      else collector.open(name)
    },
    text: collector.text,
    close: (name) => {
      if (name === 'si') strings.push(collector.collected())
      else collector.close(name)
    },
  })
  return strings
}

/**
 * Ignores quoted and escaped parts and brackets (colours, locales), except for elapsed time such as
 * `[h]`.
 */
export function isDateTimeFormat(code: string): boolean {
  return /[ymdhs]|上午|下午/i.test(
    code
      .replace(/"[^"]*"|\\.|_.|\*./g, '')
      .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
      .replace(/general/gi, ''),
  )
}

const plain: NumberStyle = { isDateTime: false, pad: 0 }

/** The styles of cells, by their index in the style sheet. */
export async function readStyles(
  archive: Archive,
  path: string | null,
): Promise<readonly NumberStyle[]> {
  const styles: NumberStyle[] = []
  if (path === null) return styles
  const codes = new Map<number, string>()
  let inCells = false
  await readXml(await archive.open(path), {
    open: (name, attributes) => {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
      if (name === 'cellXfs') inCells = true
      if (name !== 'xf' || !inCells) return
      const id = Number(attributes.numFmtId ?? 0)
      const code = codes.get(id)
      styles.push(parseNumberStyle(id, code))
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false
    },
  })
  return styles
}

function parseNumberStyle(id: number, code: string | undefined): NumberStyle {
  if (code === undefined)
    return isBuiltInDateTime(id)
      ? { isDateTime: true, pad: 0 }
      : id === 9 || id === 10
        ? { ...plain, isPercent: true }
        : plain
  if (isDateTimeFormat(code)) return { isDateTime: true, pad: 0 }
  if (/^0{2,}$/.test(code)) return { isDateTime: false, pad: code.length }
  return code.replace(/"[^"]*"|\\./g, '').includes('%') ? { ...plain, isPercent: true } : plain
}

/** Built-in date and time formats, including the East Asian ones (ECMA-376 §18.8.30). */
function isBuiltInDateTime(id: number): boolean {
  return (
    (id >= 14 && id <= 22) ||
    (id >= 27 && id <= 36) ||
    (id >= 45 && id <= 47) ||
    (id >= 50 && id <= 58)
  )
}
