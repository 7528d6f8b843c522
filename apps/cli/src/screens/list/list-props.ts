import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import type { SavedView } from '@jiaowu/api/entity/list/view'
import type { Row } from '@jiaowu/api/entity/values'
import type { Locale } from '@jiaowu/api/locale'
import type { EntityListEvent } from '@jiaowu/machines/entity-list/context'
import type { entityListMachine } from '@jiaowu/machines/entity-list/machine'
import type { ListUser } from '@jiaowu/machines/entity-list/rights'
import type { EntityListView } from '@jiaowu/machines/entity-list/view'
import type { ActorRefFrom } from 'xstate'
import type { ListNotices } from './list-notices.ts'

/** Asked of the command, besides the calls of its machine. */
export interface ListScreenProps {
  readonly actor: ActorRefFrom<typeof entityListMachine>
  readonly user: ListUser
  readonly locale: Locale
  readonly notices: ListNotices
  /** Reads a typed condition; rejects with what is wrong with it. */
  readonly readCondition: (config: EntityConfig, field: Field, text: string) => Promise<unknown>
  /** The lines of a record that is opened. */
  readonly readRecord: (config: EntityConfig, row: Row, signal: AbortSignal) => Promise<string[]>
  readonly loadViews: (signal: AbortSignal) => Promise<readonly SavedView[]>
  /** The columns with which the list opens; null: those of the definition. */
  readonly columns: readonly string[] | null
  /** The sign-in form covers the screen. */
  readonly isCovered?: boolean
  /** Opens the form of a record, or of a new one. */
  readonly onForm: (id: string | null) => void
  readonly onLeave: () => void
}

/** A part that stands over the rows. */
export type ListPart =
  | {
      readonly part:
        | 'filter'
        | 'sort'
        | 'sortMore'
        | 'columns'
        | 'group'
        | 'figures'
        | 'views'
        | 'size'
    }
  | { readonly part: 'export' | 'buttons' | 'help' }
  | { readonly part: 'value' | 'figure'; readonly field: Field }
  | { readonly part: 'record' | 'actions'; readonly row: Row }

/** Everything that a part shows and sends. */
export interface ListPartProps extends ListScreenProps {
  readonly view: EntityListView
  readonly config: EntityConfig
  readonly send: (event: EntityListEvent) => void
  readonly shownColumns: readonly string[]
  readonly setColumns: (columns: readonly string[] | null) => void
  readonly open: (part: ListPart | null) => void
}
