// Splits an SQL script into statements, with the COPY blocks and psql lines of a plain pg_dump. Each
// statement keeps the number of its first line, so that an error can name it.

export interface Statement {
  readonly line: number
  readonly text: string
  /** The rows of `copy … from stdin`. */
  readonly rows: readonly string[] | null
}

const copyFrom = /^\s*copy\s+[\s\S]+\s+from\s+stdin\b[\s\S]*$/i

export function* statementsOf(script: string): Generator<Statement> {
  const lines = script.split(/\r?\n/)
  const open = { text: '', line: 0, state: initial }
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    // Commands of psql, such as \connect or \restrict, are not SQL.
    if (open.text.trim() === '' && line.startsWith('\\')) continue
    for (const part of partsOf(line, open)) {
      if (open.text.trim() === '') open.line = at + 1
      open.text += part.text
      if (!part.ends) continue
      const text = open.text.trim()
      open.text = ''
      if (text === '' || isComment(text)) continue
      if (copyFrom.test(withoutComments(text))) {
        const end = lines.indexOf('\\.', at + 1)
        const last = end < 0 ? lines.length : end
        yield { line: open.line, text: withoutComments(text), rows: lines.slice(at + 1, last) }
        at = last
        break
      }
      yield { line: open.line, text, rows: null }
    }
    open.text += '\n'
  }
  if (open.text.trim() !== '' && !isComment(open.text))
    yield { line: open.line, text: open.text.trim(), rows: null }
}

function withoutComments(text: string): string {
  return text.replace(/^(?:\s*--[^\n]*\n|\s*\/\*[\s\S]*?\*\/)*\s*/, '')
}

function isComment(text: string): boolean {
  return withoutComments(`${text}\n`).trim() === ''
}

/** Where the text is: `''` for plain SQL, else what closes the quote, comment or body it is in. */
type State = string
const initial: State = ''

interface Open {
  state: State
}

/** What begins a quote, a comment or a body, or ends a statement. */
const marks = /--|\/\*|\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$|(?<![\w$])[eE]'|['";]/g

/** The parts of a line up to each semicolon that ends a statement. */
function partsOf(line: string, open: Open): { text: string; ends: boolean }[] {
  const parts: { text: string; ends: boolean }[] = []
  let [start, at] = [0, 0]
  while (at < line.length) {
    if (open.state !== initial) {
      at = endOf(line, at, open)
      continue
    }
    marks.lastIndex = at
    const found = marks.exec(line)
    if (found === null || found[0] === '--') break
    at = found.index + found[0].length
    if (found[0] === ';') {
      parts.push({ text: line.slice(start, at), ends: true })
      start = at
    } else open.state = closing(found[0])
  }
  parts.push({ text: line.slice(start), ends: false })
  return parts
}

function closing(mark: string): State {
  return mark === '/*' ? '*/' : /^[eE]/.test(mark) ? "\\'" : mark
}

/** Where the quote, comment or body ends that is open; the end of the line when it goes on. */
function endOf(line: string, from: number, open: Open): number {
  const isEscaped = open.state === "\\'"
  const end = isEscaped ? "'" : open.state
  for (let at = from; ;) {
    at = line.indexOf(end, at)
    if (at < 0) return line.length
    const isDoubled = (end === "'" || end === '"') && line.startsWith(end, at + 1)
    const slashes = isEscaped
      ? (/\\*$/.exec(line.slice(Math.max(from, at - 20), at))?.[0].length ?? 0)
      : 0
    if (slashes % 2 === 1) at += 1
    else if (isDoubled) at += 2
    else {
      open.state = initial
      return at + end.length
    }
  }
}
