import type { Button } from '@jiaowu/api/entity/definition/button'
import { buttonPositions } from '@jiaowu/api/entity/enums'
import { resolveEditing, type EntityConfig, isSettable } from '@jiaowu/api/entity/config'
import { type EntityAction, entityPermission, may } from '@jiaowu/api/entity/permission'
import type { ImportMode } from '@jiaowu/api/contract/job'
import type { Row } from '@jiaowu/api/entity/values'
import { shownButtons } from '../buttons/view.ts'
import { selects } from './query.ts'

/** The signed-in user as a list must know them. */
export interface ListUser {
  readonly permissions: readonly string[]
  /** The profile, as expressions of buttons read it. */
  readonly user: Readonly<Record<string, unknown>>
}
export const nobody: ListUser = { permissions: [], user: {} }

/**
 * Actions that the user's permissions and the definition allow; whether one is possible right now
 * is `can` of the view.
 */
export interface ListRights {
  readonly view: boolean
  readonly add: boolean
  readonly edit: boolean
  /** Delete the rows that are selected. */
  readonly deleteSelected: boolean
  readonly deleteRow: boolean
  readonly export: boolean
  /** Empty: no import. */
  readonly importModes: readonly ImportMode[]
  readonly bulkUpdate: boolean
  readonly bulkDelete: boolean
  /** Move a row of a tree below another. */
  readonly move: boolean
  /** The parent field of a tree whose form can add a row below another; null: it cannot. */
  readonly addBelow: string | null
  readonly recycleBin: boolean
  /** Records of the entity can change by hand, and so have a history. */
  readonly history: boolean
  readonly selection: 'none' | 'single' | 'multi'
}

const nothing: ListRights = {
  view: false,
  add: false,
  edit: false,
  deleteSelected: false,
  deleteRow: false,
  export: false,
  importModes: [],
  bulkUpdate: false,
  bulkDelete: false,
  move: false,
  addBelow: null,
  recycleBin: false,
  history: false,
  selection: 'none',
}

const known = new WeakMap<EntityConfig, readonly [readonly string[], ListRights]>()

/**
 * Computed once per definition and permissions, so that views of the same state compare as equal.
 */
export function computeListRights(
  config: EntityConfig | null,
  { permissions }: ListUser,
): ListRights {
  if (config === null) return nothing
  const [of, rights] = known.get(config) ?? []
  if (of === permissions && rights !== undefined) return rights
  const computed = computeRights(config, permissions)
  known.set(config, [permissions, computed])
  return computed
}

function computeRights(config: EntityConfig, permissions: readonly string[]): ListRights {
  const { fields, tree, permissions: granted } = config
  const permits = (action: EntityAction) => may(permissions, entityPermission(config.tag, action))
  const accepts = (action: 'add' | 'update' | 'delete') =>
    permits(action) && config.refuses?.includes(action) !== true
  const grants = (action: 'update' | 'delete') =>
    permits(action) && granted.includes(entityPermission(config.tag, action))
  const add = accepts('add') && fields.some(({ isAdd }) => isAdd > 0)
  const edit = permits('update') && fields.some(({ isEdit }) => isEdit > 0)
  const parent = fields.find(({ attrName }) => attrName === tree?.parentField)
  return {
    view: fields.some(({ isDetail }) => isDetail === 1),
    add,
    edit,
    deleteSelected: accepts('delete') && selects(config),
    deleteRow: accepts('delete'),
    export: permits('export'),
    importModes: listImportModes(config, permissions),
    bulkUpdate: grants('update') && fields.some(isSettable),
    bulkDelete: grants('delete'),
    move: edit && parent?.isEdit === 1,
    addBelow: add && parent?.isAdd === 1 ? parent.attrName : null,
    recycleBin: config.recycles === true,
    history: fields.some(({ isEdit, isAdd }) => isEdit === 1 || isAdd === 1),
    selection: resolveSelectionMode(config),
  }
}

/**
 * Import modes the user may use: `insert` needs the permission to add, `update` the one to update,
 * `upsert` both (docs/rules/security.md#permissions).
 */
export function listImportModes(
  { tag, fields, refuses = [] }: Pick<EntityConfig, 'tag' | 'fields' | 'refuses'>,
  permissions: readonly string[],
): readonly ImportMode[] {
  const allows = (action: 'add' | 'update', mode: 'add' | 'edit') =>
    !refuses.includes(action) &&
    may(permissions, entityPermission(tag, action)) &&
    fields.some((field) => resolveEditing(field, mode) === 'editable')
  const [adds, changes] = [allows('add', 'add'), allows('update', 'edit')]
  return [
    ...(adds ? ['insert' as const] : []),
    ...(changes ? ['update' as const] : []),
    ...(adds && changes ? ['upsert' as const] : []),
  ]
}

function resolveSelectionMode({ options }: EntityConfig): ListRights['selection'] {
  if (!options.selection) return 'none'
  return options.singleSelect ? 'single' : options.multiSelect ? 'multi' : 'none'
}

type OnHidden = (code: string, error: unknown) => void

/** Custom buttons of the toolbar (position 1). */
export function toolbarButtons(
  config: EntityConfig,
  { user, permissions }: ListUser,
  onHidden: OnHidden,
): readonly Button[] {
  const scope = { row: {}, user, mode: 'list' }
  return shownButtons(config, [buttonPositions.toolbar], scope, onHidden, permissions)
}

/** An action on one row. */
export interface RowAction {
  readonly kind: 'view' | 'edit' | 'button' | 'copy' | 'history' | 'delete'
  /** Unique among the actions of a row: the kind, or the code of the button. */
  readonly code: string
  /** The button's label; null: the surface names the kind. */
  readonly name: string | null
  /** It can be done right now. */
  readonly enabled: boolean
}

/** The part of a list's view that decides what is offered on its rows. */
interface RowActionsView {
  readonly config: EntityConfig | null
  readonly may: ListRights
  readonly can: { readonly askDeleteRow: boolean; readonly press: boolean }
}

/** The actions of a row in the order in which they are shown. */
export function rowActions(
  { config, may: rights, can }: RowActionsView,
  row: Row,
  { user, permissions }: ListUser,
  onHidden: OnHidden,
): readonly RowAction[] {
  if (config === null) return []
  const scope = { row, user, mode: 'view' }
  const buttons = shownButtons(config, [buttonPositions.row], scope, onHidden, permissions)
  const own = (kind: RowAction['kind'], isOffered: boolean, enabled = true): RowAction[] =>
    isOffered ? [{ kind, code: kind, name: null, enabled }] : []
  return [
    ...own('view', rights.view),
    ...own('edit', rights.edit && config.refuses?.includes('update') !== true),
    ...buttons.map(({ code, name }) => ({
      kind: 'button' as const,
      code,
      name,
      enabled: can.press,
    })),
    // Custom buttons need a menu anyway; without them these are reached from the details.
    ...own('copy', buttons.length > 0 && rights.add),
    ...own('history', buttons.length > 0 && rights.history),
    ...own('delete', rights.deleteRow, can.askDeleteRow),
  ]
}
