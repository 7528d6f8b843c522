import type { Sort } from './values.ts'

/** Whose a saved view is: one person's, that of everyone with a role, or everyone's. */
export const viewScopes = ['mine', 'role', 'everyone'] as const
export type ViewScope = (typeof viewScopes)[number]

/** What a list looks like: filters as they stand in a query, sorts, columns in their order, rows a page. */
export interface ViewContent {
  readonly queries: Readonly<Record<string, unknown>>
  readonly sorts: readonly Sort[]
  /** Null: all that the list has, in the definition's order. */
  readonly columns: readonly string[] | null
  readonly pageSize: number
}

/** A view as it is saved. */
export interface ViewInput extends ViewContent {
  readonly name: string
  readonly scope: ViewScope
  /** Of the scope `role` only. */
  readonly roleId: string | null
  /** Lists open with it for those whose view it is; one default for a person, a role, everyone. */
  readonly isDefault: boolean
}

/** How much of a view its reader does not get: what is no longer there, and what they may not see (that reads the same). */
export interface ViewLacks {
  readonly queries: number
  readonly sorts: number
  readonly columns: number
}

/** A saved view as its reader may use it: without what they lack. */
export interface SavedView extends ViewInput {
  readonly id: string
  readonly roleName: string | null
  readonly version: number
  /** Whether the caller may change and delete it. */
  readonly editable: boolean
  readonly lacks: ViewLacks
}

/** What a person chose a list to open with: a view's id, the plain list, or what is everyone's default. */
export const opensShared = 'shared'
export const opensPlain = 'plain'

/** The views of an entity for the caller, and what their list opens with. */
export interface SavedViews {
  /** By scope, then name. */
  readonly views: readonly SavedView[]
  /** The person's own word: an id, {@link opensPlain} or {@link opensShared}. */
  readonly opens: string
  /** The view a list opens with; null: the plain list. */
  readonly opening: string | null
  /** Columns of the plain list, as the person last left them. */
  readonly layout: readonly string[] | null
  /** Widths the person gave columns of this list, in pixels, whatever view is open. */
  readonly widths: Readonly<Record<string, number>>
  /** Whether the caller may make views for roles and everyone. */
  readonly mayShare: boolean
  /** Roles such a view may be for. */
  readonly roles: readonly { readonly id: string; readonly name: string }[]
}

/** Permission to keep views for roles and for everyone; one's own need none. */
export const sharePermission = 'view:share'

export function lacksAny({ queries, sorts, columns }: ViewLacks): boolean {
  return queries + sorts + columns > 0
}

/** Whether two contents look the same; the order of filters says nothing. */
export const isSameContent = (a: ViewContent, b: ViewContent): boolean => textOf(a) === textOf(b)

function textOf({ queries, sorts, columns, pageSize }: ViewContent): string {
  return JSON.stringify(sorted({ queries, sorts, columns, pageSize }))
}

function sorted(value: unknown): unknown {
  return Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, sorted(inner)]),
        )
      : value
}
