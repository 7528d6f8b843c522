// The reader of every sheet format. Used in the worker thread of read-file.ts.
import type { TextEncoding } from '@jiaowu/api/contract/job'
import type { SheetFormat } from '../format.ts'
import { readCsv } from './csv-rows.ts'
import type { ReadLimits, SheetReading } from './model.ts'
import { readNdjson } from './ndjson-rows.ts'
import { readXlsx } from './xlsx-rows.ts'
import { openArchive } from './zip.ts'

/** A file being read; `close` releases it at the end. */
interface OpenSheet extends SheetReading {
  readonly close: () => void
}

/** @throws FileProblem */
type SheetReader = (
  path: string,
  limits: ReadLimits,
  encoding: TextEncoding | null,
) => Promise<OpenSheet>

const nothing = () => undefined

export const sheetReaders = {
  xlsx: openXlsx,
  csv: async (path, limits, encoding) => ({
    ...(await readCsv(path, limits, encoding)),
    close: nothing,
  }),
  ndjson: async (path, limits) => ({ ...(await readNdjson(path, limits)), close: nothing }),
} as const satisfies Record<SheetFormat, SheetReader>

async function openXlsx(path: string, limits: ReadLimits): Promise<OpenSheet> {
  const archive = await openArchive(path, limits)
  try {
    return { ...(await readXlsx(archive, limits)), close: archive.close }
  } catch (error) {
    archive.close()
    throw error
  }
}
