/** A statement of a specification: `1.4.7` is the seventh of section 4 of the first one. */
export interface Statement {
  readonly id: string
  readonly text: string
}

const isRule = (line: string | undefined) => line !== undefined && /^\|\s*-/.test(line)
const sentences = (line: string) => line.replace(/^- /, '').split(/(?<=\.) (?=[A-Z'])/)

/**
 * The statements of a specification in order: a row of a table, or a sentence of a paragraph or
 * bullet. Section 0 precedes the first heading.
 */
export function listStatements(specification: string, number: number): Statement[] {
  let section = 0
  let running = 0
  const lines = specification.split('\n')
  return lines.flatMap((line, at) => {
    const heading = /^## (\d+)\./.exec(line)
    if (heading !== null) {
      section = Number(heading[1])
      running = 0
    }
    const isTableHead = line.startsWith('|') && isRule(lines[at + 1])
    if (line.trim() === '' || line.startsWith('#') || isRule(line) || isTableHead) return []
    return (line.startsWith('|') ? [cells(line)] : sentences(line)).map((text) => {
      running += 1
      return { id: `${number}.${section}.${running}`, text }
    })
  })
}

function cells(row: string) {
  return row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ')
}

/** The messages that a statement quotes, or lists after a colon and between semicolons. */
export function listMessages({ text }: Statement): readonly string[] {
  const quoted = [...text.matchAll(/'([^']+ [^']+)'/g)].map(([, message = '']) => message)
  if (quoted.length > 0) return quoted
  return text.includes(';') ? text.slice(text.indexOf(':') + 1).split(';') : []
}

/** A row of docs/spec/coverage.md; `id` is – for behaviour that no specification asks for. */
export interface CoverageRow {
  readonly id: string
  readonly words: string
  readonly where: readonly string[]
  /** Keys of texts that say what the statement quotes. */
  readonly texts: readonly string[]
  readonly tests: readonly string[]
}

const prefix = 'text:'
const paths = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)

export function coverageRows(page: string): CoverageRow[] {
  return page.split('\n').flatMap((line, at, lines) => {
    if (!line.startsWith('| ') || isRule(lines[at + 1])) return []
    const [, id = '', words = '', where = '', tests = ''] = line
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim())
    const places = paths(where)
    return [
      {
        id,
        words,
        where: places.filter((place) => !place.startsWith(prefix)),
        texts: places
          .filter((place) => place.startsWith(prefix))
          .map((key) => key.slice(prefix.length)),
        tests: paths(tests),
      },
    ]
  })
}
