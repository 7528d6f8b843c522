import {
  isSameContent,
  limits,
  opensPlain,
  opensShared,
  type SavedView,
  type SavedViews,
  type ViewContent,
  type ViewScope,
} from '@jiaowu/api'
import type { ViewSave } from './views.ports.ts'

/** What a person fills in to save a view, or to change one; without an id a new one. */
export interface ViewDraft {
  readonly id: string | null
  readonly name: string
  readonly scope: ViewScope
  readonly roleId: string | null
  readonly isDefault: boolean
}

export const findView = (data: SavedViews | null, id: string | null): SavedView | null =>
  data?.views.find((view) => view.id === id) ?? null
export const contentOf = ({ queries, sorts, columns, pageSize }: ViewContent): ViewContent => ({
  queries,
  sorts,
  columns,
  pageSize,
})
/** The list without a view: every row, the columns as the person left them. */
export const plainContent = (layout: readonly string[] | null): ViewContent => ({
  queries: {},
  sorts: [],
  columns: layout,
  pageSize: limits.pageSize,
})

/** What is shown is not what the view says. */
export const isChanged = (view: SavedView | null, now: ViewContent): boolean =>
  view !== null && !isSameContent(contentOf(view), now)

export const draftOf = (view: SavedView | null): ViewDraft =>
  view === null
    ? { id: null, name: '', scope: 'mine', roleId: null, isDefault: false }
    : {
        id: view.id,
        name: view.name,
        scope: view.scope,
        roleId: view.roleId,
        isDefault: view.isDefault,
      }
export const isComplete = ({ name, scope, roleId }: ViewDraft): boolean =>
  name.trim() !== '' &&
  [...name.trim()].length <= limits.viewName &&
  (scope !== 'role' || roleId !== null)

/** A filled-in draft: a new view holds what is shown, an old one what it held. */
export const saveOfDraft = (
  tag: string,
  data: SavedViews | null,
  { id, ...meta }: ViewDraft,
  now: ViewContent,
): ViewSave => {
  const view = findView(data, id)
  return {
    tag,
    id,
    version: view?.version ?? 0,
    view: {
      ...contentOf(view ?? now),
      ...meta,
      name: meta.name.trim(),
      roleId: meta.scope === 'role' ? meta.roleId : null,
    },
  }
}
/** What is shown, into the view that is open. */
export const saveOfNow = (
  tag: string,
  { id, name, scope, roleId, isDefault, version }: SavedView,
  now: ViewContent,
): ViewSave => ({ tag, id, version, view: { ...now, name, scope, roleId, isDefault } })

/** A second press takes the star away; then what is everyone's opens. */
export const opensAfter = ({ opens }: SavedViews, id: string | null): string => {
  const wanted = id ?? opensPlain
  return opens === wanted ? opensShared : wanted
}
