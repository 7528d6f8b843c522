// The formats of sheet files, and the cells and columns that all of them have in common.
import type { ExportFormat, ImportFormat } from '@jiaowu/api'

export type SheetFormat = ExportFormat | ImportFormat

export interface SheetColumn {
  readonly header: string
  readonly type: 'text' | 'number'
  /** In characters. */
  readonly width: number
  readonly hidden?: boolean
}

/** Written as text or number by its JavaScript type: '007' stays text. */
export type Cell = string | number | null

/** How to recognise an uploaded file: by the extensions of its name, and by whether it is a zip. */
interface FormatTraits {
  readonly extensions: readonly string[]
  readonly isZip: boolean
}

export const sheetFormats = {
  xlsx: { extensions: ['xlsx'], isZip: true },
  csv: { extensions: ['csv', 'tsv', 'txt'], isZip: false },
  ndjson: { extensions: ['ndjson', 'jsonl'], isZip: false },
} as const satisfies Record<SheetFormat, FormatTraits>

/** The format of a file by the extension of its name; undefined for an unknown extension. */
export function formatOfFileName(name: string): SheetFormat | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const formats = Object.entries(sheetFormats) as [SheetFormat, FormatTraits][]
  return formats.find(([, { extensions }]) => extensions.includes(extension))?.[0]
}
