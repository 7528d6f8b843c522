import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import type { SheetColumn } from '../format.ts'
import { guardText } from '../formula.ts'
import type { CellChunks } from './xlsx-stream.ts'

// A line break of any kind ends a record for other readers.
const options = { record_delimiter: 'windows', quoted_match: /[\r\n]/ } as const

/** A csv file (RFC 4180) with a BOM, which tells Excel that it is UTF-8. */
export function csvStream(columns: readonly SheetColumn[], chunks: CellChunks): Readable {
  const lines = async function* () {
    yield `\uFEFF${stringify([columns.map(({ header }) => guardText(header))], options)}`
    for await (const chunk of chunks)
      yield stringify(
        chunk.map((cells) =>
          cells.map((cell) => (typeof cell === 'string' ? guardText(cell) : cell)),
        ),
        options,
      )
  }
  return Readable.from(lines(), { objectMode: false })
}
