import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import type { EntityListView } from '@jiaowu/machines/entity-list/view'
import type { ListUser } from '@jiaowu/machines/entity-list/rights'
import type { ReactNode } from 'react'
import type { BulkButtons } from '../../bulk/bulk-buttons.tsx'

export interface ListToolbarProps {
  readonly config: EntityConfig
  readonly view: EntityListView
  readonly user: ListUser
  /** Rows can be selected, and edited or deleted from the toolbar. */
  readonly selects: boolean
  /** Null: not permitted, or no field is for it. */
  readonly onAdd: (() => void) | null
  readonly onEdit: ((id: string) => void) | null
  readonly onSort: (column: string) => void
  readonly onDelete: () => void
  readonly onRefresh: () => void
  readonly onExport: (format: ExportFormat) => void
  readonly onCancelExport: () => void
  readonly onPress: (code: string) => void
  readonly onChooseAll: () => void
  readonly onClear: () => void
  readonly onExportChosen: (format: ExportFormat) => void
  readonly onBulk: Parameters<typeof BulkButtons>[0]['onOpen']
  /** The buttons of saved views and columns. */
  readonly tools?: ReactNode
  /** The columns an export starts with; null: all. */
  readonly columns?: readonly string[] | null
}
