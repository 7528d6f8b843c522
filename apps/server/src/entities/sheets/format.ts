// The formats of sheet files, and the cells and columns that all of them have in common.
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import type { ImportFormat } from '@jiaowu/api/contract/job'
import type { SheetCellType } from '../../model/fields/sheet-cell.ts'

export type SheetFormat = ExportFormat | ImportFormat

export interface SheetColumn {
  readonly header: string
  readonly type: SheetCellType
  /** Digits shown after the decimal point; as many as a value has where undefined. */
  readonly decimals?: number | undefined
  /** In characters. */
  readonly width: number
  readonly hidden?: boolean
}

/**
 * Written as text or number by its JavaScript type: '007' stays text. The wire form of a date in a
 * column of dates is written as a date.
 */
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
