import { limits } from '@jiaowu/api/limits'
import type { Problem } from '@jiaowu/api/problem'
import type { SavedView, ViewScope } from '@jiaowu/api/entity/list/view'
import type { SnapshotFrom } from 'xstate'
import { findView, isChanged, type ViewDraft } from './choices.ts'
import type { viewsMachine } from './machine.ts'

export interface ViewsView {
  readonly step:
    | 'loading'
    | 'unavailable'
    | 'idle'
    | 'naming'
    | 'saving'
    | 'confirmingDelete'
    | 'deleting'
    | 'starring'
  readonly problem: Problem | null
  readonly current: SavedView | null
  /** The list differs from the view. */
  readonly changed: boolean
  /** Columns in order; null: the entity's. */
  readonly columns: readonly string[] | null
  /** Column widths set by the user, as of opening the list. */
  readonly widths: Readonly<Record<string, number>>
  readonly groups: readonly { readonly scope: ViewScope; readonly views: readonly SavedView[] }[]
  /** The user's choice of what the list opens with. */
  readonly opens: string
  /** The view it opens with; null: none. */
  readonly opening: string | null
  readonly draft: ViewDraft | null
  readonly pendingDeletion: SavedView | null
  readonly mayShare: boolean
  readonly roles: readonly { readonly id: string; readonly name: string }[]
  readonly nameLength: number
  readonly can: Readonly<
    Record<
      | 'open'
      | 'save'
      | 'saveAs'
      | 'revert'
      | 'star'
      | 'submit'
      | 'cancel'
      | 'confirmDelete'
      | 'cancelDelete'
      | 'retry'
      | 'arrange',
      boolean
    >
  >
}
type Snapshot = SnapshotFrom<typeof viewsMachine>
const steps = ['naming', 'saving', 'confirmingDelete', 'deleting', 'starring'] as const

export function viewsView(s: Snapshot): ViewsView {
  const { data, current, now, draft, pendingDeletion, problem } = s.context
  const view = findView(data, current)
  return {
    step: resolveViewsStep(s),
    problem,
    current: view,
    changed: isChanged(view, now),
    columns: now.columns,
    widths: data?.widths ?? {},
    groups: (['mine', 'role', 'everyone'] as const)
      .map((scope) => ({ scope, views: data?.views.filter((each) => each.scope === scope) ?? [] }))
      .filter(({ views }) => views.length > 0),
    opens: data?.opens ?? '',
    opening: data?.opening ?? null,
    draft,
    pendingDeletion: findView(data, pendingDeletion),
    mayShare: data?.mayShare ?? false,
    roles: data?.roles ?? [],
    nameLength: limits.viewName,
    can: {
      open: s.can({ type: 'view.open', id: null }),
      save: s.can({ type: 'view.save' }),
      saveAs: s.can({ type: 'view.edit', id: null }),
      revert: s.can({ type: 'view.revert' }),
      star: s.can({ type: 'view.star', id: null }),
      submit: s.can({ type: 'draft.submit' }),
      cancel: s.can({ type: 'draft.cancel' }),
      confirmDelete: s.can({ type: 'delete.confirm' }),
      cancelDelete: s.can({ type: 'delete.cancel' }),
      retry: s.can({ type: 'views.retry' }),
      arrange: s.can({ type: 'columns.change', columns: null }),
    },
  }
}

function resolveViewsStep(s: Snapshot): ViewsView['step'] {
  return s.matches('loading')
    ? 'loading'
    : s.matches('unavailable')
      ? 'unavailable'
      : (steps.find((step) => s.matches({ ready: { view: step } })) ?? 'idle')
}
