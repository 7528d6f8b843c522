import type { FooterQuery, GroupQuery, Where } from './list-query.ts'
import { limits } from '../../limits.ts'
import type { Sort } from '../values.ts'

/** Audiences of a saved view: one user, everyone with a role, or everyone. */
export const viewScopes = ['mine', 'role', 'everyone'] as const
export type ViewScope = (typeof viewScopes)[number]

/**
 * Content that a view stores: everything that decides which rows and columns a list shows, and how.
 */
export interface ViewContent {
  readonly queries: Readonly<Record<string, unknown>>
  /** Conditions in groups, besides those of `queries`. */
  readonly where: Where | null
  readonly sorts: readonly Sort[]
  /** Null: all columns of the list in the definition's order. */
  readonly columns: readonly string[] | null
  readonly pageSize: number
  readonly group: GroupQuery | null
  readonly footer: readonly FooterQuery[]
  /** Columns up to this one stay in place while others scroll; null: those of the definition. */
  readonly frozen: string | null
}

/** A list as its definition gives it. */
export const blankContent: ViewContent = {
  queries: {},
  where: null,
  sorts: [],
  columns: null,
  pageSize: limits.pageSize,
  group: null,
  footer: [],
  frozen: null,
}

/** A view as it is saved. */
export interface ViewInput extends ViewContent {
  readonly name: string
  readonly scope: ViewScope
  /** Only for the scope `role`. */
  readonly roleId: string | null
  /** Lists open with it; at most one default per user, role, and for everyone. */
  readonly isDefault: boolean
}

/**
 * Parts of a view that were left out because they no longer exist or are hidden from the caller.
 */
export interface ViewLacks {
  readonly queries: number
  readonly sorts: number
  readonly columns: number
}

/** A saved view reduced to what the caller may see. */
export interface SavedView extends ViewInput {
  readonly id: string
  readonly roleName: string | null
  readonly version: number
  /** Whether the caller can change and delete it. */
  readonly editable: boolean
  readonly lacks: ViewLacks
}

/**
 * Values of `opens` besides the id of a view: the default of the role or of everyone, and the list
 * without a view.
 */
export const opensShared = 'shared'
export const opensPlain = 'plain'

/** The caller's views of an entity, and what the list opens with. */
export interface SavedViews {
  /** Sorted by scope, then name. */
  readonly views: readonly SavedView[]
  /** The caller's choice: the id of a view, {@link opensPlain} or {@link opensShared}. */
  readonly opens: string
  /** The view that the list opens with; null: none. */
  readonly opening: string | null
  /** Columns of the list without a view, as the user last arranged them. */
  readonly layout: readonly string[] | null
  /** Column widths set by the user, in pixels; they apply to every view. */
  readonly widths: Readonly<Record<string, number>>
  /** Whether the caller can create views for roles and everyone. */
  readonly mayShare: boolean
  /** Roles that the caller can create views for. */
  readonly roles: readonly { readonly id: string; readonly name: string }[]
}

/** Permission to create views for roles and for everyone; own views need none. */
export const sharePermission = 'view:share'

export function lacksAny({ queries, sorts, columns }: ViewLacks): boolean {
  return queries + sorts + columns > 0
}

/** Whether two contents are equal; the order of filters does not matter. */
export const isSameContent = (a: ViewContent, b: ViewContent): boolean =>
  formatViewContent(a) === formatViewContent(b)

function formatViewContent(content: ViewContent): string {
  return JSON.stringify(sortKeysDeep(pickViewContent(content)))
}

/** The content alone of what may hold more, such as a saved view. */
export function pickViewContent({
  queries,
  where,
  sorts,
  columns,
  pageSize,
  group,
  footer,
  frozen,
}: ViewContent): ViewContent {
  return { queries, where, sorts, columns, pageSize, group, footer, frozen }
}

function sortKeysDeep(value: unknown): unknown {
  return Array.isArray(value)
    ? value.map(sortKeysDeep)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, sortKeysDeep(inner)]),
        )
      : value
}
