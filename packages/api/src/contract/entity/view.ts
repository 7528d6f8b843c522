import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { type SavedView, type SavedViews, viewScopes } from '../../entity/list/view.ts'
import { limits } from '../../limits.ts'
import { footer, group, pageFields, text, where, wholeNumber } from '../shapes.ts'

const savedView: v.GenericSchema<unknown, SavedView> = v.object({
  id: v.string(),
  name: v.string(),
  scope: v.picklist(viewScopes),
  roleId: v.nullable(v.string()),
  roleName: v.nullable(v.string()),
  isDefault: v.boolean(),
  version: v.number(),
  editable: v.boolean(),
  lacks: v.object({ queries: v.number(), sorts: v.number(), columns: v.number() }),
  queries: v.record(v.string(), v.unknown()),
  where: v.nullable(where),
  sorts: v.array(v.object({ column: v.string(), asc: v.boolean() })),
  columns: v.nullable(v.array(v.string())),
  pageSize: v.number(),
  group: v.nullable(group),
  footer,
  frozen: v.nullable(v.string()),
})
const savedViews = {
  views: v.array(savedView),
  opens: v.string(),
  opening: v.nullable(v.string()),
  layout: v.nullable(v.array(v.string())),
  widths: v.record(v.string(), v.number()),
  mayShare: v.boolean(),
  roles: v.array(v.object({ id: v.string(), name: v.string() })),
}
const answer: v.GenericSchema<unknown, SavedViews> = v.object(savedViews)
const saved: v.GenericSchema<unknown, SavedViews & { readonly id: string }> = v.object({
  ...savedViews,
  id: v.string(),
})
const columns = v.nullable(
  v.pipe(v.array(v.pipe(v.string(), v.maxLength(64))), v.maxLength(limits.viewColumns)),
)
const width = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(limits.columnWidth.least),
  v.maxValue(limits.columnWidth.most),
)
const widths = v.pipe(
  v.record(v.pipe(v.string(), v.maxLength(64)), v.nullable(width)),
  v.check((given) => Object.keys(given).length <= limits.viewColumns),
)
const fields = {
  name: text,
  scope: v.picklist(viewScopes),
  roleId: v.optional(v.nullable(text), null),
  isDefault: v.optional(v.boolean(), false),
  queries: pageFields.queries,
  sorts: pageFields.sorts,
  columns: v.optional(columns, null),
  where: v.optional(v.nullable(where), null),
  group: v.optional(v.nullable(group), null),
  footer: v.optional(footer, []),
  frozen: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(64))), null),
  pageSize: v.optional(
    v.pipe(wholeNumber, v.minValue(1), v.maxValue(limits.maxPageSize)),
    limits.pageSize,
  ),
}

/**
 * Saved views of a list: the caller's own, those of the caller's roles, and shared ones. Writing
 * views of roles and shared views needs `view:share` besides `view` on the entity. Every write
 * answers the resulting views.
 */
export const view = {
  list: endpoint({
    method: 'GET',
    path: '/entity/{tag}/views',
    access: 'entity:{tag}:view',
    answer,
  }),
  create: endpoint({
    method: 'POST',
    keyed: true,
    path: '/entity/{tag}/views',
    access: 'entity:{tag}:view',
    body: v.strictObject(fields),
    answer: saved,
  }),
  /**
   * `version` is the one that was read.
   * @throws 409/40900 with the stored views when it is stale
   */
  update: endpoint({
    method: 'PUT',
    path: '/entity/{tag}/views/{id}',
    access: 'entity:{tag}:view',
    body: v.strictObject({ ...fields, version: v.number() }),
    answer: saved,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/entity/{tag}/views/{id}',
    access: 'entity:{tag}:view',
    answer,
  }),
  /**
   * The choice that the caller's list opens with: the id of a view, `plain`, or `shared` (the
   * role's default, else the shared one).
   */
  open: endpoint({
    method: 'PUT',
    path: '/entity/{tag}/opens',
    access: 'entity:{tag}:view',
    body: v.strictObject({ opens: text }),
    answer,
  }),
  /** Columns of the caller's list without a view; null restores the entity's. */
  keepLayout: endpoint({
    method: 'PUT',
    path: '/entity/{tag}/layout',
    access: 'entity:{tag}:view',
    body: v.strictObject({ columns }),
    answer: v.object({ columns }),
  }),
  /**
   * Sets widths of some columns of the caller's list, in pixels, for every view; null restores the
   * entity's width. Other columns keep theirs.
   */
  keepWidths: endpoint({
    method: 'PUT',
    path: '/entity/{tag}/widths',
    access: 'entity:{tag}:view',
    body: v.strictObject({ widths }),
    answer: v.object({ widths: v.record(v.string(), v.number()) }),
  }),
} as const
