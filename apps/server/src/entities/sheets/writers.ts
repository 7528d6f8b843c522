// The writer of every sheet format, and the response that sends a file.
import { pacedBody } from './paced-body.ts'
import { Readable } from 'node:stream'
import { attachmentHeader, safeFileName } from './file-name.ts'
import type { SheetColumn, SheetFormat } from './format.ts'
import { csvStream } from './write/csv-stream.ts'
import { ndjsonStream, type ObjectChunks } from './write/ndjson-stream.ts'
import { type CellChunks, type ExtraSheet, xlsxStream } from './write/xlsx-stream.ts'

/** Rows to write. A writer calls either `cells` or `objects`, once. */
interface SheetSource {
  readonly sheetName: string
  readonly columns: readonly SheetColumn[]
  readonly cells: () => CellChunks
  readonly objects: () => ObjectChunks
  readonly extras?: readonly ExtraSheet[]
}

interface SheetWriter {
  readonly contentType: string
  /** Whether a column can be in the file without being shown. */
  readonly hidesColumns: boolean
  /** Streams the file. Destroying the stream stops reading the rows. */
  readonly write: (source: SheetSource) => Readable
}

export const sheetWriters = {
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    hidesColumns: true,
    write: ({ cells, ...book }) => xlsxStream({ ...book, chunks: cells() }),
  },
  csv: {
    contentType: 'text/csv; charset=utf-8',
    hidesColumns: false,
    write: ({ columns, cells }) => csvStream(columns, cells()),
  },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    hidesColumns: false,
    write: ({ objects }) => ndjsonStream(objects()),
  },
} as const satisfies Record<SheetFormat, SheetWriter>

/** Sends a file as a download. `name`: wanted by the user, made safe here. */
export function sheetResponse(
  file: Readable | Uint8Array<ArrayBuffer>,
  name: string,
  format: SheetFormat,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = file instanceof Readable ? pacedBody(file) : file
  return new Response(body, {
    headers: {
      'content-type': sheetWriters[format].contentType,
      'content-disposition': attachmentHeader(safeFileName(name, format)),
      'cache-control': 'no-store',
      ...headers,
    },
  })
}
