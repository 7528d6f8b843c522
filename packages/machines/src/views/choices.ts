import {
  blankContent,
  pickViewContent,
  isSameContent,
  opensPlain,
  opensShared,
  type SavedView,
  type SavedViews,
  type ViewContent,
  type ViewScope,
} from '@jiaowu/api/entity/list/view'
import { limits } from '@jiaowu/api/limits'
import type { ViewSave } from './ports.ts'

/** Input of the user to create or change a view; without an id a new one. */
export interface ViewDraft {
  readonly id: string | null
  readonly name: string
  readonly scope: ViewScope
  readonly roleId: string | null
  readonly isDefault: boolean
}

export function findView(data: SavedViews | null, id: string | null): SavedView | null {
  return data?.views.find((view) => view.id === id) ?? null
}
/** The list without a view: no filters, and the columns as the user last arranged them. */
export function plainContent(layout: readonly string[] | null, pageSize: number): ViewContent {
  return { ...blankContent, columns: layout, pageSize }
}

/** Whether the list differs from the view. */
export function isChanged(view: SavedView | null, now: ViewContent): boolean {
  return view !== null && !isSameContent(pickViewContent(view), now)
}

export function toViewDraft(view: SavedView | null): ViewDraft {
  return view === null
    ? { id: null, name: '', scope: 'mine', roleId: null, isDefault: false }
    : {
        id: view.id,
        name: view.name,
        scope: view.scope,
        roleId: view.roleId,
        isDefault: view.isDefault,
      }
}
export function isCompleteDraft({ name, scope, roleId }: ViewDraft): boolean {
  return (
    name.trim() !== '' &&
    [...name.trim()].length <= limits.viewName &&
    (scope !== 'role' || roleId !== null)
  )
}

/** A new view stores what the list shows; an existing one keeps its content. */
export function saveOfDraft(
  tag: string,
  data: SavedViews | null,
  { id, ...meta }: ViewDraft,
  now: ViewContent,
): ViewSave {
  const view = findView(data, id)
  return {
    tag,
    id,
    version: view?.version ?? 0,
    view: {
      ...pickViewContent(view ?? now),
      ...meta,
      name: meta.name.trim(),
      roleId: meta.scope === 'role' ? meta.roleId : null,
    },
  }
}
/** Stores what the list shows in the open view. */
export function saveOfNow(
  tag: string,
  { id, name, scope, roleId, isDefault, version }: SavedView,
  now: ViewContent,
): ViewSave {
  return { tag, id, version, view: { ...now, name, scope, roleId, isDefault } }
}

/** Pressing the star again removes it; then the shared default applies. */
export function opensAfter({ opens }: SavedViews, id: string | null): string {
  const wanted = id ?? opensPlain
  return opens === wanted ? opensShared : wanted
}
