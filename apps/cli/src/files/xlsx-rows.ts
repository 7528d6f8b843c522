// The cells of the first sheet of a workbook as texts: what a short list of rows needs, and no more.
import { inflateRawSync } from 'node:zlib'

/** Bytes of a part after inflation; a list of decisions is far smaller. */
const largestPart = 20_000_000

/** @throws RangeError for a file that is no workbook, or too large */
export function readXlsxRows(bytes: Buffer): readonly (readonly string[])[] {
  const parts = listParts(bytes)
  const read = (name: string) => {
    const part = parts.get(name)
    return part === undefined ? '' : inflate(bytes, part)
  }
  const name = findFirstSheet(read('xl/workbook.xml'), read('xl/_rels/workbook.xml.rels'))
  if (name === null || !parts.has(name)) throw new RangeError('no sheet')
  return readRows(read(name), readTexts(read('xl/sharedStrings.xml')))
}

interface Part {
  readonly at: number
  readonly packed: number
  readonly isDeflated: boolean
}
const [endMark, entryMark] = [0x06054b50, 0x02014b50]

/** The entries of the archive, from its directory. */
function listParts(bytes: Buffer): ReadonlyMap<string, Part> {
  let end = bytes.length - 22
  while (end >= 0 && bytes.readUInt32LE(end) !== endMark) end -= 1
  if (end < 0) throw new RangeError('no archive')
  const parts = new Map<string, Part>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) !== entryMark) throw new RangeError('no entry')
    const [named, extra, noted] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    parts.set(bytes.toString('utf8', at + 46, at + 46 + named), {
      at: bytes.readUInt32LE(at + 42),
      packed: bytes.readUInt32LE(at + 20),
      isDeflated: bytes.readUInt16LE(at + 10) !== 0,
    })
    at += 46 + named + extra + noted
  }
  return parts
}

function inflate(bytes: Buffer, { at, packed, isDeflated }: Part): string {
  const from = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
  const data = bytes.subarray(from, from + packed)
  return (isDeflated ? inflateRawSync(data, { maxOutputLength: largestPart }) : data).toString()
}

function findFirstSheet(workbook: string, relations: string): string | null {
  const id = /<(?:\w+:)?sheet\s[^>]*r:id="([^"]*)"/.exec(workbook)?.[1]
  const relation = [...relations.matchAll(/<(?:\w+:)?Relationship\s[^>]*>/g)]
    .map(([tag]) => tag)
    .find((tag) => readAttribute(tag, 'Id') === id)
  const target = relation === undefined ? null : readAttribute(relation, 'Target')
  if (target === null) return null
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}

function readAttribute(tag: string, name: string): string | null {
  return new RegExp(String.raw`\s${name}="([^"]*)"`).exec(tag)?.[1] ?? null
}

/** The texts that cells refer to by number, without their phonetic marks. */
function readTexts(xml: string): readonly string[] {
  return [...xml.matchAll(/<(?:\w+:)?si>(.*?)<\/(?:\w+:)?si>/gs)].map(([, item = '']) =>
    joinTexts(item),
  )
}

function joinTexts(xml: string): string {
  const spoken = xml.replace(/<(?:\w+:)?rPh[\s>].*?<\/(?:\w+:)?rPh>/gs, '')
  return [...spoken.matchAll(/<(?:\w+:)?t(?:\s[^>]*)?>(.*?)<\/(?:\w+:)?t>/gs)]
    .map(([, text = '']) => decodeXml(text))
    .join('')
}

function readRows(xml: string, texts: readonly string[]): readonly (readonly string[])[] {
  return [...xml.matchAll(/<(?:\w+:)?row[\s>].*?<\/(?:\w+:)?row>/gs)].map(([row]) => {
    const cells: string[] = []
    for (const [, head = '', inside = ''] of row.matchAll(
      /<(?:\w+:)?c(\s[^>]*?)?(?:\/>|>(.*?)<\/(?:\w+:)?c>)/gs,
    )) {
      const at = findColumn(readAttribute(head, 'r')) ?? cells.length
      while (cells.length < at) cells.push('')
      cells[at] = readCell(readAttribute(head, 't'), inside, texts)
    }
    return cells
  })
}

function readCell(type: string | null, xml: string, texts: readonly string[]): string {
  if (type === 'inlineStr') return joinTexts(xml)
  const value = decodeXml(/<(?:\w+:)?v>(.*?)<\/(?:\w+:)?v>/s.exec(xml)?.[1] ?? '')
  return type === 's' ? (texts[Number(value)] ?? '') : value
}

/** `C7` is column 2. */
function findColumn(place: string | null): number | null {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0]
  return letters === undefined
    ? null
    : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
}

function decodeXml(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    typeof name === 'string'
      ? (entities[name] ?? whole)
      : String.fromCodePoint(
          Math.min(
            0x10_ff_ff,
            Number.parseInt(String(hex ?? decimal), hex === undefined ? 10 : 16),
          ),
        ),
  )
}
