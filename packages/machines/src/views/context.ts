import type { Message, Problem, SavedViews, Sort, ViewContent } from '@jiaowu/api'
import type { ViewDraft } from './choices.ts'
import type { ViewSave } from './ports.ts'

export interface ViewsInput {
  readonly tag: string
  /**
   * The list was opened with filters or sorts of its own (docs/spec/1-entity-console.md §2): they
   * win over a default view.
   */
  readonly isPreset: boolean
}

export interface ViewsContext {
  readonly tag: string
  /** The list shows something that was asked for: no default view may take its place. */
  readonly isTaken: boolean
  readonly data: SavedViews | null
  /** The view that is open; null: the plain list. */
  readonly current: string | null
  /** What the list shows. */
  readonly now: ViewContent
  /** Columns of the plain list, and those last sent to be kept. */
  readonly layout: readonly string[] | null
  readonly sent: readonly string[] | null
  readonly draft: ViewDraft | null
  readonly save: ViewSave | null
  readonly doomed: string | null
  readonly opens: string
  readonly problem: Problem | null
}

export type Shown = Pick<ViewContent, 'queries' | 'sorts' | 'pageSize'>

export type ViewsEvent =
  /** The list's filters, sorts or page size are others now. */
  | {
      readonly type: 'list.changed'
      readonly queries: Readonly<Record<string, unknown>>
      readonly sorts: readonly Sort[]
      readonly pageSize: number
    }
  | { readonly type: 'columns.change'; readonly columns: readonly string[] | null }
  | { readonly type: 'views.retry' }
  /** Null: the plain list. */
  | { readonly type: 'view.open'; readonly id: string | null }
  | { readonly type: 'view.revert' }
  | { readonly type: 'view.save' }
  /** Null: what is shown becomes a view. */
  | { readonly type: 'view.edit'; readonly id: string | null }
  | { readonly type: 'draft.change'; readonly draft: Partial<Omit<ViewDraft, 'id'>> }
  | { readonly type: 'draft.submit' }
  | { readonly type: 'draft.cancel' }
  | { readonly type: 'view.delete'; readonly id: string }
  | { readonly type: 'delete.confirm' }
  | { readonly type: 'delete.cancel' }
  /** The list opens with it for this person; a second time: no longer. */
  | { readonly type: 'view.star'; readonly id: string | null }

export type ViewsEmitted =
  /** The list is to show this. */
  | ({ readonly type: 'apply' } & Shown)
  | {
      readonly type: 'toast'
      readonly tone: 'success' | 'warning' | 'danger'
      readonly message: string | Message
      readonly lasting: boolean
    }
