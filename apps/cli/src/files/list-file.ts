// Lists that people hand to a command: CSV, tab-separated text, JSON, NDJSON and the first sheet of a workbook, as
// records of texts by heading.
import { parseJson } from '@jiaowu/api/exact-json'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { readFile } from 'node:fs/promises'
import { CommandError, exitCodes } from '../exit.ts'
import { stdinBytes } from '../terminal/prompt.ts'
import { fileFault } from './file-fault.ts'
import { textOfBytes } from './text-file.ts'
import { readXlsxRows } from './xlsx-rows.ts'

export interface ListRecord {
  /** As a program shows it: the line of a JSON value, the row of a sheet. From 1. */
  readonly row: number
  readonly cells: Readonly<Record<string, string>>
}

/** @throws CommandError (usage) for a file that cannot be read as any of these */
export async function readList(path: string, locale: Locale): Promise<readonly ListRecord[]> {
  const name = path === '-' ? t(locale, 'cli.stdin') : path
  const bytes =
    path === '-'
      ? await stdinBytes()
      : await readFile(path).catch((error: NodeJS.ErrnoException) => {
          throw new CommandError(
            exitCodes.usage,
            t(locale, 'cli.cannotRead', { path, reason: fileFault(locale, error) }),
          )
        })
  try {
    if (bytes.subarray(0, 2).toString('latin1') === 'PK') return toRecords(readXlsxRows(bytes))
    return parseList(textOfBytes(bytes, name, locale))
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(exitCodes.usage, t(locale, 'cli.list.unreadable', { path: name }))
  }
}

/** @throws SyntaxError, RangeError */
export function parseList(text: string): readonly ListRecord[] {
  const source = text.replace(/^\ufeff/, '')
  const start = source.trimStart()
  if (start.startsWith('[')) return (parseJson(source) as unknown[]).map(toRecord)
  if (start.startsWith('{'))
    return source
      .split('\n')
      .map((line, i) => [line, i] as const)
      .filter(([line]) => line.trim() !== '')
      .map(([line, i]) => toRecord(parseJson(line), i))
  return toRecords(parseCells(source))
}

function toRecord(value: unknown, i: number): ListRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SyntaxError('no object')
  const cells = Object.entries(value).map(([name, cell]) => [
    normaliseHeading(name),
    cell === null || cell === undefined ? '' : String(cell),
  ])
  return { row: i + 1, cells: Object.fromEntries(cells) as Record<string, string> }
}

/** The first row has the headings. Empty rows are left out. */
function toRecords(rows: readonly (readonly string[])[]): readonly ListRecord[] {
  const [heads = [], ...others] = rows
  return others.flatMap((row, i) =>
    row.every((cell) => cell.trim() === '')
      ? []
      : [
          {
            row: i + 2,
            cells: Object.fromEntries(
              heads.map((head, at) => [normaliseHeading(head), row[at] ?? '']),
            ),
          },
        ],
  )
}

function normaliseHeading(text: string): string {
  return text.trim().toLowerCase()
}

/** Cells between the separator that the first line has: tab, semicolon or comma. */
function parseCells(text: string): readonly (readonly string[])[] {
  const [first = ''] = text.split('\n', 1)
  const separator = first.includes('\t') ? '\t' : first.includes(';') ? ';' : ','
  const rows: string[][] = [[]]
  const cell = new RegExp(
    String.raw`(?:"((?:[^"]|"")*)"|((?!")[^${separator}\r\n]*))(${separator}|\r?\n|\r|$)`,
    'y',
  )
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text)
    if (found === null) throw new SyntaxError('a quote that does not end')
    const [, quoted, plain = '', end] = found
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '') break
    if (end !== separator) rows.push([])
    else if (cell.lastIndex === text.length) rows.at(-1)?.push('')
  }
  return rows
}
