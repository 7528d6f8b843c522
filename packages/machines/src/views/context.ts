import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import type { SavedViews, ViewContent } from '@jiaowu/api/entity/list/view'
import type { ViewDraft } from './choices.ts'
import type { ViewSave } from './ports.ts'

export interface ViewsInput {
  readonly tag: string
  /**
   * The list was opened with filters or sorts (docs/spec/1-entity-console.md §2), which take
   * precedence over a default view.
   */
  readonly isPreset: boolean
  /** The view that the address of the list names; null or absent: none. */
  readonly wanted?: string | null
  /** Rows of a page of the list without a view. */
  readonly pageSize?: number
}

export interface ViewsContext {
  readonly tag: string
  /** The list shows something the user asked for, which a default view must not replace. */
  readonly isTaken: boolean
  readonly wanted: string | null
  readonly usualSize: number
  readonly data: SavedViews | null
  /** The open view; null: none. */
  readonly current: string | null
  /** The present content of the list. */
  readonly now: ViewContent
  /** Columns of the list without a view, and those last sent to the server. */
  readonly layout: readonly string[] | null
  readonly sent: readonly string[] | null
  readonly draft: ViewDraft | null
  readonly save: ViewSave | null
  readonly pendingDeletion: string | null
  readonly opens: string
  readonly problem: Problem | null
}

/** The part of a view that the list machine keeps. */
export type ShownView = Omit<ViewContent, 'columns'>

export type ViewsEvent =
  /** The state that the list shows changed. */
  | ({ readonly type: 'list.changed' } & ShownView)
  | { readonly type: 'columns.change'; readonly columns: readonly string[] | null }
  | { readonly type: 'views.retry' }
  /** Null opens the list without a view. */
  | { readonly type: 'view.open'; readonly id: string | null }
  /** Opens a view, or none, whose content the list shows already. */
  | { readonly type: 'view.follow'; readonly id: string | null }
  | { readonly type: 'view.revert' }
  | { readonly type: 'view.save' }
  /** Null creates a view from the content of the list. */
  | { readonly type: 'view.edit'; readonly id: string | null }
  | { readonly type: 'draft.change'; readonly draft: Partial<Omit<ViewDraft, 'id'>> }
  | { readonly type: 'draft.submit' }
  | { readonly type: 'draft.cancel' }
  | { readonly type: 'view.delete'; readonly id: string }
  | { readonly type: 'delete.confirm' }
  | { readonly type: 'delete.cancel' }
  /** Makes the list open with this view for the user; sent again, it no longer does. */
  | { readonly type: 'view.star'; readonly id: string | null }

export type ViewsEmitted =
  /** The list must show this content. */
  | ({ readonly type: 'apply' } & ShownView)
  | {
      readonly type: 'toast'
      readonly tone: 'success' | 'warning' | 'danger'
      readonly message: string | Message
      readonly lasting: boolean
    }
