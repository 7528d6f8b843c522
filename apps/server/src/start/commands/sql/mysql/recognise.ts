// Tells a script of MySQL or MariaDB from one of PostgreSQL, and brings its bytes to UTF-8.
import { ScriptError } from '../script-error.ts'

/** The headers of mysqldump, mariadb-dump, phpMyAdmin and Navicat. */
const headers =
  /^-- (MySQL|MariaDB) dump|phpMyAdmin (MySQL-)?SQL Dump|Navicat (MySQL|MariaDB)|Source Server Type\s*:\s*(MySQL|MariaDB)|mysqldump-php/im
/** Only MySQL has names in backticks and such options of a table. */
const marks = /`[^`\n]+`|\bengine\s*=\s*\w+|\bauto_increment\b/i

/** `head`: the first bytes of a file, enough for its first tables. */
export function isMysqlScript(head: Uint8Array): boolean {
  const text = decodeHead(head)
  if (/^-- PostgreSQL database dump/m.test(text)) return false
  if (headers.test(text)) return true
  const plain = text
    .replace(/'(?:[^'\\]|\\.|'')*'/g, "''")
    .replace(/--[^\n]*|#[^\n]*|\/\*(?!M?!)[\s\S]*?\*\//g, ' ')
  return marks.test(plain)
}

function decodeHead(head: Uint8Array): string {
  const encoding = findByteOrder(head)
  return encoding === null
    ? Buffer.from(head).toString('latin1')
    : new TextDecoder(encoding).decode(head)
}

function findByteOrder([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : null
}

/** MySQL's names of character sets → labels of the Encoding Standard; UTF-8 is read as it is. */
const charsets: ReadonlyMap<string, string> = new Map([
  ['gbk', 'gbk'],
  ['gb2312', 'gbk'],
  ['gb18030', 'gb18030'],
  ['big5', 'big5'],
  ['latin1', 'windows-1252'],
  ['sjis', 'shift_jis'],
  ['cp932', 'shift_jis'],
  ['euckr', 'euc-kr'],
])
const unicode = /^(utf8|utf8mb3|utf8mb4|binary|ascii|default)$/

/**
 * The bytes of a script as UTF-8: from UTF-16, as PowerShell writes the output of a program, or from
 * the character set of its first SET NAMES.
 * @throws ScriptError for a character set that is unknown
 */
export async function* toUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decode: ((chunk: Uint8Array) => string) | null = null
  let isFirst = true
  for await (const chunk of chunks) {
    if (isFirst) {
      const encoding = findEncoding(chunk)
      decode = encoding === null ? null : createDecoder(encoding)
    }
    const bytes = decode === null ? chunk : Buffer.from(decode(chunk), 'utf8')
    yield isFirst ? withoutWarnings(withoutMark(bytes)) : bytes
    isFirst = false
  }
}

function createDecoder(encoding: string): (chunk: Uint8Array) => string {
  const decoder = new TextDecoder(encoding)
  return (chunk) => decoder.decode(chunk, { stream: true })
}

function findEncoding(head: Uint8Array): string | null {
  const order = findByteOrder(head)
  if (order !== null) return order
  const text = Buffer.from(head.subarray(0, 65_536)).toString('latin1')
  const name = /\bset\s+names\s+'?(\w+)/i.exec(text)?.[1]?.toLowerCase() ?? 'utf8'
  if (unicode.test(name)) return null
  const label = charsets.get(name)
  if (label === undefined)
    throw new ScriptError(
      `the character set ${name} cannot be read; write the dump again with ` +
        'mysqldump --default-character-set=utf8mb4',
    )
  return label
}

/** Without what a program told while it wrote: a shell may have put it into the file. */
function withoutWarnings(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from(bytes.subarray(0, 1_000)).toString('latin1')
  const [told = ''] = /^(?:(?:mysqldump: |mariadb-dump: )?\[?Warning\b[^\n]*\n)+/.exec(head) ?? []
  return bytes.subarray(told.length)
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}
