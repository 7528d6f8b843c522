import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import type { Row } from '@jiaowu/api/entity/values'
import type { Page, PageQuery } from '@jiaowu/api/entity/list/page'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/** A selection as the calls name it. */
export type Chosen = { readonly ids: readonly string[] } | { readonly except: readonly string[] }

/** @public Declarations of the machine's type name it. */
export interface ExportRequest {
  readonly tag: string
  readonly query: Omit<PageQuery, 'pageSize' | 'pageNum'>
  readonly format: ExportFormat
  readonly columns: readonly string[] | null
  /** The selected rows of the query; null: all. */
  readonly only: Chosen | null
}
/**
 * A custom button pressed on the toolbar (row null) or on a row.
 *
 * @public Declarations of the machine's type name it.
 */
export interface ButtonPress {
  readonly tag: string
  readonly code: string
  readonly row: Row | null
}

/** A change that takes one back: the values of before over the version that it made. */
export interface UndoChange {
  readonly tag: string
  readonly id: string
  readonly values: Readonly<Record<string, unknown>>
}
/** Requests that take the last deletion or press back. */
export type Undo =
  | { readonly do: 'restore'; readonly ids: readonly string[] }
  | { readonly do: 'update'; readonly changes: readonly UndoChange[] }

/** How a press ended. `said`: the button's own message, where it can be taken back. */
export interface Pressing {
  readonly refresh: boolean
  readonly undo?: readonly UndoChange[]
  readonly said?: string | null
}

export interface EntityListPorts {
  readonly loadConfig: Port<{ readonly tag: string }, EntityConfig>
  readonly loadPage: Port<{ readonly tag: string; readonly query: PageQuery }, Page>
  /** A page of which only the total, groups and footer are used. */
  readonly loadFigures: Port<{ readonly tag: string; readonly query: PageQuery }, Page>
  /** The exact number of rows that match, where a page told an estimate. */
  readonly countRows: Port<
    { readonly tag: string; readonly query: PageQuery },
    { readonly total: number }
  >
  readonly removeRows: Port<
    { readonly tag: string; readonly ids: readonly string[] },
    { readonly deleted: number }
  >
  /**
   * Downloads and saves the file; reports the bytes received so far as `export.progress` events.
   */
  readonly exportRows: Port<ExportRequest, void>
  /** Carries out the button's actions; `refresh` asks for a reload of the list. */
  readonly pressButton: Port<ButtonPress, Pressing>
  readonly undoLast: Port<{ readonly tag: string; readonly undo: Undo }, void>
}

export function entityListActors(ports: EntityListPorts): ActorsOf<EntityListPorts> {
  return createPortActors(ports, [
    'loadConfig',
    'loadPage',
    'loadFigures',
    'countRows',
    'removeRows',
    'exportRows',
    'pressButton',
    'undoLast',
  ])
}
