import type { EntityConfig, ExportFormat, Page, PageQuery, Row } from '@jiaowu/api'
import type { Chosen } from './query.ts'
import { actorsOf, type ActorsOf, type Port } from '../port.ts'

export interface ExportRequest {
  readonly tag: string
  readonly query: Omit<PageQuery, 'pageSize' | 'pageNum'>
  readonly format: ExportFormat
  readonly columns: readonly string[] | null
  /** The selected rows of the query; null: all. */
  readonly only: Chosen | null
}
/** A custom button pressed on the toolbar (row null) or on a row. */
export interface ButtonPress {
  readonly tag: string
  readonly code: string
  readonly row: Row | null
}

export interface EntityListPorts {
  readonly loadConfig: Port<{ readonly tag: string }, EntityConfig>
  readonly loadPage: Port<{ readonly tag: string; readonly query: PageQuery }, Page>
  readonly removeRows: Port<
    { readonly tag: string; readonly ids: readonly string[] },
    { readonly deleted: number }
  >
  /**
   * Downloads and saves the file; reports the bytes received so far as `export.progress` events.
   */
  readonly exportRows: Port<ExportRequest, void>
  /** Carries out the button's actions; `refresh` asks for a reload of the list. */
  readonly pressButton: Port<ButtonPress, { readonly refresh: boolean }>
}

export function entityListActors(ports: EntityListPorts): ActorsOf<EntityListPorts> {
  return actorsOf(ports, ['loadConfig', 'loadPage', 'removeRows', 'exportRows', 'pressButton'])
}
