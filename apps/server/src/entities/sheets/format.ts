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

const extensions = {
  xlsx: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  csv: ['csv', 'tsv', 'txt'],
  ndjson: ['ndjson', 'jsonl'],
} as const satisfies Record<SheetFormat, readonly string[]>

/** The format of a file by the extension of its name; undefined for an unknown extension. */
export function formatOfFileName(name: string): SheetFormat | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const formats = Object.entries(extensions) as [SheetFormat, readonly string[]][]
  return formats.find(([, names]) => names.includes(extension))?.[0]
}
