// Reads csv files in UTF-8, UTF-16, GB18030, Big5 or Windows-1252; separated by commas, semicolons, tabs, bars or
// full-width commas.
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { TextEncoding } from '@jiaowu/api/contract/job'
import { parse, type Parser } from 'csv-parse'
import { findChatSplitter, type LineSplitter } from './chat-text.ts'
import { detectEncoding, type FoundEncoding } from './encoding.ts'
import {
  cellIsBlank,
  FileProblem,
  firstRows,
  type RawCell,
  type RawRow,
  readChunk,
  type ReadLimits,
  type SheetReading,
} from './model.ts'

/**
 * The decoded text of the file. With `isLenient` bytes that do not fit the encoding are shown as such, so
 * that another can be chosen.
 * @throws FileProblem for bytes invalid in the encoding
 */
export async function* textOfFile(
  path: string,
  encoding: string | null = null,
  isLenient = false,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding ?? (await detectEncoding(path)).name, {
    fatal: !isLenient,
  })
  try {
    for await (const piece of createReadStream(path))
      yield decoder.decode(piece as Buffer, { stream: true })
    yield decoder.decode()
  } catch {
    throw new FileProblem({ key: 'transfer.file.encoding' })
  }
}

const delimiters = [',', '\t', ';', '|', '，'] as const
/** Excel writes the separator into the first line where it differs from the computer's own. */
const declared = /^\uFEFF?"?sep=(.)"?\r?\n/i

/** The separator that occurs most evenly in the first lines, outside of quotes. */
function detectDelimiter(text: string): string {
  const said = declared.exec(text)?.[1]
  if (said !== undefined) return said
  const counts = countDelimiters(text.slice(0, 20_000))
  const scored = delimiters.map((delimiter) => {
    const found = counts.map((line) => line.get(delimiter) ?? 0).filter((n) => n > 0)
    const usual = found.toSorted((a, b) => a - b)[Math.floor(found.length / 2)] ?? 0
    return { delimiter, score: found.filter((n) => n === usual).length * Math.min(usual, 50) }
  })
  return scored.toSorted((a, b) => b.score - a.score)[0]?.delimiter ?? ','
}

/** How often each separator occurs, for each of the first lines. */
function countDelimiters(text: string): ReadonlyMap<string, number>[] {
  const lines: Map<string, number>[] = [new Map()]
  let quoted = false
  for (const character of text) {
    if (character === '"') quoted = !quoted
    if (quoted) continue
    if (character === '\n') {
      if (lines.length >= 30) break
      lines.push(new Map())
    } else if ((delimiters as readonly string[]).includes(character)) {
      const line = lines.at(-1)
      line?.set(character, (line.get(character) ?? 0) + 1)
    }
  }
  return lines
}

export async function readCsv(
  path: string,
  limits: ReadLimits,
  chosen: TextEncoding | null = null,
): Promise<SheetReading> {
  const encoding: FoundEncoding =
    chosen === null ? await detectEncoding(path) : { name: chosen, isGuess: false }
  const isLenient = chosen !== null || encoding.isBroken === true
  const all = () => records(path, { name: encoding.name, isLenient }, limits)
  const rows = await firstRows(all())
  return {
    head: { sheets: [{ name: '', rows }], from1904: false, signature: null, encoding },
    rows: all,
  }
}

function limitCells(
  record: readonly string[],
  limits: ReadLimits,
): Pick<RawRow, 'cells' | 'beyond'> {
  const cells = record.map((text): RawCell =>
    text === ''
      ? null
      : text.length > limits.cell
        ? { odd: 'tooLong', text: text.slice(0, 40_000) }
        : text,
  )
  while (cells.length > 0 && cellIsBlank(cells.at(-1) ?? null)) cells.pop()
  if (cells.length <= limits.columns) return { cells }
  const rest = cells.slice(limits.columns).filter((cell) => !cellIsBlank(cell)).length
  const column = cells.findIndex((cell, at) => at >= limits.columns && !cellIsBlank(cell)) + 1
  return { cells: cells.slice(0, limits.columns), beyond: { cells: rest, column } }
}

/**
 * Makes the parser take records of any width. `relax_column_count` takes them too, but builds an error
 * with a stack and copies of all options for each record that is not as wide as the first one: 60 µs a
 * blank line, a minute for 1 MB of them. The parser fixes the width while it has counted no record.
 */
function anyWidth(parser: Parser): Parser {
  Object.defineProperty(parser.info, 'records', { get: () => 0, set() {} })
  return parser
}

/** Stands between the parts of lines that were split beforehand; no text of a person has it. */
const unitMark = '\u001F'

async function* splitLines(
  texts: AsyncIterable<string>,
  splitLine: LineSplitter,
): AsyncGenerator<string> {
  let rest = ''
  for await (const text of texts) {
    const lines = (rest + text.replaceAll(unitMark, '')).split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) yield `${splitLine(line).join(unitMark)}\n`
  }
  yield splitLine(rest).join(unitMark)
}

async function* records(
  path: string,
  { name, isLenient }: { readonly name: TextEncoding; readonly isLenient: boolean },
  limits: ReadLimits,
): AsyncGenerator<RawRow[]> {
  const texts = textOfFile(path, name, isLenient)
  const first = await texts.next()
  const start = first.done === true ? '' : first.value
  const preface = declared.exec(start)?.[0] ?? ''
  const whole = async function* () {
    yield start.slice(preface.length)
    yield* texts
  }
  const splitLine = preface === '' ? findChatSplitter(start) : null
  const parser = Readable.from(splitLine === null ? whole() : splitLines(whole(), splitLine)).pipe(
    anyWidth(
      parse({
        bom: true,
        delimiter: splitLine === null ? detectDelimiter(start) : unitMark,
        quote: splitLine === null ? '"' : null,
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: false,
        max_record_size: limits.columns * (limits.cell + 3) * 4,
      }),
    ),
  )
  let rows: RawRow[] = []
  let row = preface === '' ? 0 : 1
  try {
    for await (const record of parser) {
      row += 1
      const read = limitCells(record as string[], limits)
      if (read.cells.length > 0) rows.push({ row, ...read })
      if (rows.length >= readChunk) {
        yield rows
        rows = []
      }
    }
  } catch (error) {
    throw error instanceof FileProblem ? error : new FileProblem({ key: 'transfer.file.broken' })
  }
  if (rows.length > 0) yield rows
}
