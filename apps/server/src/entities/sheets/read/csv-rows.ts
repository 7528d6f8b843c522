// Reads csv files in UTF-8 (with or without BOM), UTF-16 or GB18030, which spreadsheets write in
// China; separated by commas, semicolons or tabs.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import {
  cellIsBlank,
  FileProblem,
  type RawCell,
  type RawRow,
  readChunk,
  type ReadLimits,
  type SheetReading,
} from './model.ts'

/** The decoded text of the file. @throws FileProblem for bytes invalid in the detected encoding */
export async function* textOfFile(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(await encodingOf(path), { fatal: true })
  try {
    for await (const piece of createReadStream(path))
      yield decoder.decode(piece as Buffer, { stream: true })
    yield decoder.decode()
  } catch {
    throw new FileProblem({ key: 'transfer.file.encoding' })
  }
}

async function encodingOf(path: string): Promise<string> {
  const handle = await open(path, 'r')
  const mark = Buffer.alloc(2)
  await handle.read(mark, 0, 2, 0).finally(() => handle.close())
  if (mark[0] === 0xff && mark[1] === 0xfe) return 'utf-16le'
  if (mark[0] === 0xfe && mark[1] === 0xff) return 'utf-16be'
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of createReadStream(path))
      decoder.decode(piece as Buffer, { stream: true })
    decoder.decode()
    return 'utf-8'
  } catch {
    return 'gb18030'
  }
}

/** The separator that occurs most often in the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const counts = new Map<string, number>([
    [',', 0],
    [';', 0],
    ['\t', 0],
  ])
  let quoted = false
  for (const character of text) {
    if (character === '"') quoted = !quoted
    if (character === '\n' && !quoted) break
    if (!quoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? ','
}

export function readCsv(path: string, limits: ReadLimits): SheetReading {
  return {
    head: { sheetName: '', from1904: false, otherSheets: [], signature: null },
    rows: records(path, limits),
  }
}

function cellsOf(record: readonly string[], limits: ReadLimits): RawCell[] {
  const cells = record.map((text): RawCell =>
    text === ''
      ? null
      : text.length > limits.cell
        ? { odd: 'tooLong', text: text.slice(0, 40_000) }
        : text,
  )
  while (cells.length > 0 && cellIsBlank(cells.at(-1) ?? null)) cells.pop()
  if (cells.length > limits.columns)
    throw new FileProblem({ key: 'transfer.file.tooManyColumns', params: { n: limits.columns } })
  return cells
}

async function* records(path: string, limits: ReadLimits): AsyncGenerator<RawRow[]> {
  const texts = textOfFile(path)
  const first = await texts.next()
  const start = first.done === true ? '' : first.value
  const whole = async function* () {
    yield start
    yield* texts
  }
  const parser = Readable.from(whole()).pipe(
    parse({
      bom: true,
      delimiter: delimiterOf(start),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      max_record_size: limits.columns * (limits.cell + 3) * 4,
    }),
  )
  let rows: RawRow[] = []
  let row = 0
  try {
    for await (const record of parser) {
      row += 1
      const cells = cellsOf(record as string[], limits)
      if (cells.length > 0) rows.push({ row, cells })
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
