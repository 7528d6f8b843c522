// Splits a script of MySQL or MariaDB into statements. The bytes are read as Latin-1, one character a
// byte, since a dump without --hex-blob holds the bytes of binary columns between its quotes: UTF-8
// has all marks of the syntax as single bytes.
// https://dev.mysql.com/doc/refman/8.4/en/comments.html, https://dev.mysql.com/doc/refman/8.4/en/string-literals.html
import { longest, tooLong } from '../lines.ts'
import { ScriptError } from '../script-error.ts'

export interface Statement {
  /** The line of its first word, from 1. */
  readonly line: number
  /** Without comments and its delimiter; one character a byte. Line feeds are kept. */
  readonly text: string
}

// A comment of a version that no server has, as MariaDB's `/*!999999\- enable the sandbox mode`, is
// never run.
const neverRun = 900_000

/** @throws ScriptError for a statement that is too long, and for a script that ends inside of one */
export async function* splitStatements(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Statement> {
  const scan = newScan()
  let [held, number] = ['', 0]
  for await (const chunk of chunks) {
    held += Buffer.from(chunk).toString('latin1')
    if (held.length > longest) throw tooLong(number + 1)
    const lines = held.split('\n')
    held = lines.pop() ?? ''
    for (const line of lines) {
      number += 1
      yield* scanLine(scan, number, `${line}\n`)
    }
  }
  if (held !== '') yield* scanLine(scan, number + 1, held)
  if (scan.closer !== '' && scan.closer !== '*/')
    throw new ScriptError(
      `line ${scan.line}: the statement does not end (${scan.closer} is missing)`,
    )
  const text = scan.pieces.join('').trim()
  if (text !== '') yield { line: scan.line, text }
}

interface Scan {
  pieces: string[]
  length: number
  /** The line of the first word; 0 before it. */
  line: number
  /** The mark that closes the open quote or comment; `''` for plain SQL. */
  closer: string
  delimiter: string
}

function newScan(): Scan {
  return { pieces: [], length: 0, line: 0, closer: '', delimiter: ';' }
}

const ends: Readonly<Record<string, RegExp>> = {
  "'": /\\[\s\S]|''|'/g,
  '"': /\\[\s\S]|""|"/g,
  '`': /``|`/g,
}

function* scanLine(scan: Scan, number: number, line: string): Generator<Statement> {
  const delimiter = scan.line === 0 && scan.closer === '' ? findDelimiter(line) : null
  if (delimiter !== null) {
    scan.delimiter = delimiter
    return
  }
  let [from, at] = [0, 0]
  const keep = (to: number) => {
    appendText(scan, number, line.slice(from, to))
    from = to
  }
  while (at < line.length) {
    if (scan.closer === '*/') {
      const end = line.indexOf('*/', at)
      if (end < 0) {
        appendText(scan, number, '\n')
        return
      }
      from = at = end + 2
      scan.closer = ''
      continue
    }
    if (scan.closer !== '') {
      at = skipQuoted(scan, line, at)
      continue
    }
    const found = findMark(line, at, scan.delimiter)
    if (found === null) break
    const [mark, start] = found
    at = start + mark.length
    if (mark === "'" || mark === '"' || mark === '`') scan.closer = mark
    else if (mark === scan.delimiter) {
      keep(start)
      from = at
      const text = scan.pieces.join('').trim()
      if (text !== '') yield { line: scan.line, text }
      Object.assign(scan, { ...newScan(), delimiter: scan.delimiter })
    } else {
      keep(start)
      appendText(scan, number, ' ')
      from = at
      // The text of a comment that is run, and the end of it, belong to the statement.
      if (mark.startsWith('/*') && !isRun(mark)) scan.closer = '*/'
      else if (mark === '#' || mark === '--') {
        appendText(scan, number, '\n')
        return
      }
    }
  }
  keep(line.length)
}

/** The delimiter that a line of the client's command DELIMITER sets. */
function findDelimiter(line: string): string | null {
  return /^\s*delimiter\s+(\S+)/i.exec(line)?.[1] ?? null
}

function findMark(line: string, from: number, delimiter: string): [string, number] | null {
  const marks = /--(?=\s|$)|#|\/\*(?:M?!\d*)?|\*\/|['"`]/g
  marks.lastIndex = from
  const found = marks.exec(line)
  const end = line.indexOf(delimiter, from)
  if (end >= 0 && (found === null || end <= found.index)) return [delimiter, end]
  return found === null ? null : [found[0], found.index]
}

// `/*!40101` opens text that MySQL of this version and above runs, `/*M!100100` text of MariaDB.
function isRun(mark: string): boolean {
  const version = /!(\d*)$/.exec(mark)?.[1]
  return version !== undefined && Number(version) < neverRun
}

function skipQuoted(scan: Scan, line: string, from: number): number {
  const marks = ends[scan.closer] ?? /$/g
  marks.lastIndex = from
  for (;;) {
    const found = marks.exec(line)
    if (found === null) return line.length
    if (found[0].length > 1) continue
    scan.closer = ''
    return marks.lastIndex
  }
}

function appendText(scan: Scan, line: number, text: string): void {
  if (scan.line === 0) {
    if (text.trim() === '') return
    scan.line = line
  }
  scan.pieces.push(text)
  scan.length += text.length
  if (scan.length > longest) throw tooLong(scan.line)
}
