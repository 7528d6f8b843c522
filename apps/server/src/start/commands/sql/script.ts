// Splits the lines of an SQL script into statements, with the COPY blocks and psql lines of a plain
// pg_dump. Each statement keeps the number of its own first line, so that an error can name it.
import { type Line, longest, tooLong } from './lines.ts'
import { ScriptError } from './script-error.ts'

export type Part =
  | { readonly kind: 'statement'; readonly line: number; readonly text: string }
  /** A part of the rows of a `copy … from stdin`; the first one may be empty. */
  | {
      readonly kind: 'rows'
      readonly line: number
      readonly text: string
      readonly rows: readonly Line[]
    }
  /** A command of psql. */
  | { readonly kind: 'psql'; readonly line: number; readonly text: string }

const copyFrom = /^copy\s+[\s\S]+\s+from\s+stdin\b/i
const rowsAtOnce = 1_000
const charactersAtOnce = 4 * 2 ** 20

/** @throws ScriptError for a statement that is too long, and for a script that ends inside of one */
export async function* splitIntoParts(
  blocks: AsyncIterable<readonly Line[]>,
): AsyncGenerator<Part> {
  const scan = newScan()
  let copy: Copy | null = null
  let last = 0
  for await (const block of blocks)
    for (const line of block) {
      last = line.number
      if (copy !== null) {
        const ends = isEndOfRows(line.text)
        if (!ends) addCopyRow(copy, line)
        if (ends || isFull(copy)) yield takeRows(copy)
        if (ends) copy = null
        continue
      }
      const command = scan.hasBegun || scan.closer !== '' ? '' : line.text.trim()
      if (command.startsWith('\\')) {
        yield { kind: 'psql', line: line.number, text: command }
        continue
      }
      for (const statement of scanLine(scan, line)) {
        if (!copyFrom.test(statement.text)) yield { kind: 'statement', ...statement }
        else copy = { ...statement, rows: [], characters: 0 }
      }
      if (copy !== null) yield takeRows(copy)
    }
  if (copy !== null)
    throw new ScriptError(`line ${last}: the rows of the COPY in line ${copy.line} do not end`)
  const text = scan.text.join('').trim()
  if (scan.closer !== '' && text !== '')
    throw new ScriptError(
      `line ${scan.line}: the statement does not end (${scan.closer} is missing)`,
    )
  if (text !== '') yield { kind: 'statement', line: scan.line, text }
}

interface Copy {
  readonly line: number
  readonly text: string
  rows: Line[]
  characters: number
}

function isEndOfRows(text: string): boolean {
  return text === '\\.' || text === '\\.\r'
}

function addCopyRow(copy: Copy, { number, text }: Line): void {
  copy.rows.push({ number, text: text.endsWith('\r') ? text.slice(0, -1) : text })
  copy.characters += text.length
}

function isFull({ rows, characters }: Copy): boolean {
  return rows.length >= rowsAtOnce || characters >= charactersAtOnce
}

function takeRows(copy: Copy): Part {
  const { line, text, rows } = copy
  copy.rows = []
  copy.characters = 0
  return { kind: 'rows', line, text, rows }
}

interface Scan {
  /** The statement without the comments above it. */
  text: string[]
  length: number
  line: number
  hasBegun: boolean
  /** The text that closes the open quote, comment or body; `''` for plain SQL. */
  closer: string
  /** Comments can be nested. */
  comments: number
  parentheses: number
  /** The first words of the statement, which tell whether BEGIN opens a body. */
  words: string[]
  /** Open BEGIN and CASE of a body in standard SQL, as psql counts them. */
  bodies: number
}

function newScan(): Scan {
  return {
    text: [],
    length: 0,
    line: 0,
    hasBegun: false,
    closer: '',
    comments: 0,
    parentheses: 0,
    words: [],
    bodies: 0,
  }
}

/** Tokens by which a statement is read: comments, quotes, words, parentheses and its end. */
const tokens =
  /--|\/\*|\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$|[eE]'|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d[\w$]*|['"();]|[^\s]/g

/** Statements that end in this line. */
function scanLine(scan: Scan, { number, text: line }: Line): { line: number; text: string }[] {
  const ended: { line: number; text: string }[] = []
  let [from, at] = [0, 0]
  while (at < line.length) {
    if (scan.closer !== '') {
      at = skipToEnd(scan, line, at)
      if (!scan.hasBegun) from = at
      continue
    }
    tokens.lastIndex = at
    const found = tokens.exec(line)
    if (found === null) break
    const token = found[0]
    at = found.index + token.length
    if (token === '--') {
      if (!scan.hasBegun) from = line.length
      break
    }
    if (token === '/*') {
      scan.closer = '*/'
      scan.comments = 1
      continue
    }
    if (!scan.hasBegun && token === ';') {
      from = at
      continue
    }
    if (!scan.hasBegun) {
      from = found.index
      scan.hasBegun = true
      scan.line = number
    }
    if (token === ';' && scan.parentheses === 0 && scan.bodies === 0) {
      appendText(scan, line.slice(from, at))
      ended.push({ line: scan.line, text: scan.text.join('') })
      Object.assign(scan, newScan())
      from = at
    } else take(scan, token)
  }
  if (scan.hasBegun) appendText(scan, `${line.slice(from)}\n`)
  return ended
}

function appendText(scan: Scan, text: string): void {
  scan.text.push(text)
  scan.length += text.length
  if (scan.length > longest) throw tooLong(scan.line)
}

function take(scan: Scan, token: string): void {
  if (token === "'" || token === '"') scan.closer = token
  else if (token === "e'" || token === "E'") scan.closer = "\\'"
  else if (token.length > 1 && token.startsWith('$')) scan.closer = token
  else if (token === '(') scan.parentheses += 1
  else if (token === ')') scan.parentheses = Math.max(0, scan.parentheses - 1)
  else if (/^[A-Za-z_\u0080-\uffff]/.test(token)) takeWord(scan, token.toLowerCase())
}

const routine = /^create (?:or replace )?(?:function|procedure)\b/

/** BEGIN, CASE and END count within CREATE FUNCTION and PROCEDURE only, as in psql's scanner. */
function takeWord(scan: Scan, word: string): void {
  if (scan.words.length < 4) scan.words.push(word)
  if (scan.parentheses > 0 || !['begin', 'case', 'end'].includes(word)) return
  if (!routine.test(scan.words.join(' '))) return
  if (word === 'begin' || (word === 'case' && scan.bodies > 0)) scan.bodies += 1
  else if (word === 'end' && scan.bodies > 0) scan.bodies -= 1
}

/** Where the quote, comment or body ends that is open; the end of the line when it goes on. */
function skipToEnd(scan: Scan, line: string, from: number): number {
  if (scan.closer === '*/') return skipComment(scan, line, from)
  if (scan.closer === "\\'") return skipQuote(scan, line, from, /\\[\s\S]|''|'/g)
  if (scan.closer === "'") return skipQuote(scan, line, from, /''|'/g)
  if (scan.closer === '"') return skipQuote(scan, line, from, /""|"/g)
  const at = line.indexOf(scan.closer, from)
  if (at < 0) return line.length
  const end = at + scan.closer.length
  scan.closer = ''
  return end
}

function skipQuote(scan: Scan, line: string, from: number, marks: RegExp): number {
  marks.lastIndex = from
  for (;;) {
    const found = marks.exec(line)
    if (found === null) return line.length
    if (found[0].length > 1) continue
    scan.closer = ''
    return marks.lastIndex
  }
}

function skipComment(scan: Scan, line: string, from: number): number {
  const marks = /\/\*|\*\//g
  marks.lastIndex = from
  for (;;) {
    const found = marks.exec(line)
    if (found === null) return line.length
    scan.comments += found[0] === '/*' ? 1 : -1
    if (scan.comments > 0) continue
    scan.closer = ''
    return marks.lastIndex
  }
}
