// Reads an SQL file as a stream of lines, so that a dump of any size takes little memory.
import { createReadStream } from 'node:fs'
import { ScriptError } from './script-error.ts'

export interface Line {
  /** From 1. */
  readonly number: number
  /** Without its line feed. */
  readonly text: string
}

/** Characters of a line or a statement. V8 takes 2^29 at most, PostgreSQL 1 GB of bytes. */
export const longest = 2 ** 28
const readAtOnce = 2 ** 20
const lineFeed = 0x0a

/**
 * Lines of the file in blocks, decoded by its byte order mark or by the encoding that a dump names.
 * @throws ScriptError for bytes that are no text of this encoding, and for files that are no script
 */
export async function* readLines(file: string): AsyncGenerator<Line[]> {
  yield* readNumberedLines(createReadStream(file, { highWaterMark: readAtOnce }))
}

/** @throws ScriptError as `readLines` does */
export async function* readNumberedLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Line[]> {
  const held: Uint8Array[] = []
  let [decode, heldBytes, number]: [Decode | null, number, number] = [null, 0, 1]
  for await (const chunk of chunks) {
    decode ??= chooseDecoder(chunk)
    const cut = decode.cut(chunk)
    held.push(cut > 0 ? chunk.subarray(0, cut) : chunk)
    heldBytes += chunk.length
    if (heldBytes > longest + readAtOnce) throw tooLong(number)
    if (cut === 0) continue
    const lines = splitLines(Buffer.concat(held), number, decode)
    number += lines.length
    held.splice(0, held.length, chunk.subarray(cut))
    heldBytes = chunk.length - cut
    yield lines
  }
  if (decode !== null && heldBytes > 0) yield splitLines(Buffer.concat(held), number, decode)
}

export function tooLong(line: number): ScriptError {
  return new ScriptError(
    `line ${line}: longer than ${longest / 2 ** 20} million characters; no statement and no row may be`,
  )
}

interface Decode {
  readonly text: (bytes: Uint8Array) => string
  /** Where the last whole line of a chunk ends; 0 when none does. */
  readonly cut: (chunk: Uint8Array) => number
  readonly name: string
}

function splitLines(bytes: Uint8Array, first: number, decode: Decode): Line[] {
  let text: string
  try {
    text = decode.text(bytes)
  } catch (error) {
    throw new ScriptError(
      `line ${first + wholeLines(bytes, decode)}: bytes that are not ${decode.name}; write the ` +
        'dump again with pg_dump --encoding=UTF8, or save the file as UTF-8',
      { cause: error },
    )
  }
  const parts = text.split('\n')
  if (parts.at(-1) === '') parts.pop()
  return parts.map((part, at) => ({ number: first + at, text: part }))
}

/** How many lines can be decoded before the first that cannot. */
function wholeLines(bytes: Uint8Array, decode: Decode): number {
  for (let [from, count] = [0, 0]; ; count += 1) {
    const end = bytes.indexOf(lineFeed, from)
    if (end < 0) return count
    try {
      decode.text(bytes.subarray(from, end + 1))
    } catch {
      return count
    }
    from = end + 1
  }
}

function chooseDecoder(head: Uint8Array): Decode {
  refuseOtherFiles(head)
  const [first, second] = head
  const isLittle = first === 0xff && second === 0xfe
  if (isLittle || (first === 0xfe && second === 0xff)) return utf16(isLittle)
  const named = /^\s*set\s+client_encoding\s*(?:=|to)\s*'?([\w-]+)'?/im.exec(
    Buffer.from(head.subarray(0, 65_536)).toString('latin1'),
  )?.[1]
  const name = named ?? 'UTF8'
  const label = findEncodingLabel(name)
  if (label === null)
    throw new ScriptError(
      `the encoding ${name} cannot be read; write the dump again with pg_dump --encoding=UTF8`,
    )
  const decoder = new TextDecoder(label, { fatal: true })
  return {
    name: label.toUpperCase(),
    text: (bytes) => decoder.decode(bytes),
    cut: (chunk) => chunk.lastIndexOf(lineFeed) + 1,
  }
}

/** As PowerShell writes the output of a program. */
function utf16(isLittle: boolean): Decode {
  const name = isLittle ? 'utf-16le' : 'utf-16be'
  const decoder = new TextDecoder(name, { fatal: true })
  return {
    name: name.toUpperCase(),
    text: (bytes) => decoder.decode(bytes),
    // Chunks are even, as the size of a read is.
    cut: (chunk) => {
      for (let at = chunk.length - 2; at >= 0; at -= 2)
        if (chunk[isLittle ? at : at + 1] === lineFeed && chunk[isLittle ? at + 1 : at] === 0)
          return at + 2
      return 0
    },
  }
}

/** PostgreSQL's names of encodings → labels of the Encoding Standard. */
const labels: Readonly<Record<string, string>> = {
  sql_ascii: 'utf-8',
  unicode: 'utf-8',
  euc_cn: 'gbk',
  euc_jis_2004: 'euc-jp',
  sjis: 'shift_jis',
  mskanji: 'shift_jis',
  uhc: 'euc-kr',
  latin5: 'iso-8859-9',
  latin6: 'iso-8859-10',
  latin7: 'iso-8859-13',
  latin8: 'iso-8859-14',
  latin9: 'iso-8859-15',
  latin10: 'iso-8859-16',
}

function findEncodingLabel(name: string): string | null {
  const lower = name.toLowerCase()
  const label =
    new Map(Object.entries(labels)).get(lower) ??
    lower
      .replace(/^latin([1-4])$/, 'iso-8859-$1')
      .replace(/^iso_8859_/, 'iso-8859-')
      .replace(/^win(\d+)$/, 'windows-$1')
      .replace(/^koi8([ru])$/, 'koi8-$1')
      .replaceAll('_', '-')
  for (const tried of [label, lower])
    try {
      return new TextDecoder(tried).encoding
    } catch {
      continue
    }
  return null
}

const otherFiles: readonly (readonly [string, string])[] = [
  ['PGDMP', 'an archive of pg_dump; `pg_restore --file=dump.sql FILE` makes it a plain dump'],
  ['\u001f\u008b', 'compressed; unpack it first (`gunzip FILE`)'],
  ['\u0028\u00b5\u002f\u00fd', 'compressed; unpack it first (`unzstd FILE`)'],
  ['\u0004\u0022\u004d\u0018', 'compressed; unpack it first (`lz4 -d FILE`)'],
  [
    'PK\u0003\u0004',
    'a zip archive or a workbook; unpack it first, or import a sheet in the console',
  ],
]

function refuseOtherFiles(head: Uint8Array): void {
  const start = Buffer.from(head.subarray(0, 8)).toString('latin1')
  const found = otherFiles.find(([magic]) => start.startsWith(magic))
  if (found !== undefined) throw new ScriptError(`is ${found[1]}`)
}
