import { findKind } from '../fields/kinds.ts'
import type { Button } from './definition/button.ts'
import type { EntityOptions, EntrySheet, FieldDefinition } from './definition/definition.ts'
import type { PiiKind } from './enums.ts'
import type { ListTime } from './list/list-query.ts'
import type { Message } from '../texts/index.ts'
import type { EntityAction } from './permission.ts'
import type { DictItem, Sort } from './values.ts'

/**
 * A field as clients receive it: without column, table or SQL names, with the label in the caller's
 * language (docs/spec/1-entity-console.md §3).
 */
export type Field = Pick<
  FieldDefinition,
  | 'id'
  | 'attrName'
  | 'uiLabel'
  | 'uiType'
  | 'uiWidth'
  | 'dictType'
  | 'dictValue'
  | 'linkType'
  | 'linkUrl'
  | 'isList'
  | 'isQuery'
  | 'isDetail'
  | 'isExport'
  | 'isAdd'
  | 'isEdit'
  | 'queryType'
  | 'uiDefaultType'
  | 'defaultValue'
  | 'disabled'
  | 'valids'
  | 'options'
> & {
  /** Personal data: values arrive masked, filters take whole values (docs/rules/security.md#d4). */
  readonly pii?: PiiKind | null
  /** The formula that computes the value. */
  readonly derived?: string | null
  /** Items of a local dictionary (dictType 0), included to save the form a call. */
  readonly dictData?: readonly DictItem[]
  /** Whether lists can be sorted by it. */
  readonly sortable: boolean
  /** Values are unique: imports can identify records by it. */
  readonly unique?: boolean
  /** A serial number, which only the server writes. */
  readonly numbered?: boolean
  /** The name of the flow that alone changes the value (docs/rules/contract.md#flows). */
  readonly owner?: string
  /** In a form: the name of the state of the record's flow that keeps it from being edited. */
  readonly closed?: string
}

/**
 * Answer of `GET /entity/{tag}/config`, reduced to what the caller may see
 * (docs/rules/contract.md#entity-data).
 */
export interface EntityConfig {
  readonly tag: string
  readonly name: string
  readonly fields: readonly Field[]
  readonly buttons: readonly Button[]
  readonly options: Pick<
    EntityOptions,
    'selection' | 'operColumnShow' | 'singleSelect' | 'multiSelect' | 'openType'
  > & { readonly sorts: readonly Sort[] }
  /**
   * Set for those who may change rows; `add` for those who may add them and see the records of the
   * entity `tag`.
   */
  readonly entry?: Omit<EntrySheet, 'add'> & {
    readonly add?: NonNullable<EntrySheet['add']> & { readonly tag: string }
  }
  /** People decide on the rows (docs/rules/contract.md#flows). */
  readonly flow?: boolean
  readonly idField: string
  readonly tagField: string | null
  /** Names a row by several fields, all of which the caller may see: `{firstName} {lastName}`. */
  readonly titlePattern?: string
  readonly permissions: readonly string[]
  /** New rows take the id that `generateId` gave their form. */
  readonly formId?: boolean
  /** The times that lists filter and sort by, whatever the definition names. */
  readonly times?: readonly ListTime[]
  /** Deleted rows go to a recycle bin that the caller can open. */
  readonly recycles?: boolean
  /** Actions that the entity does not support, whatever the user's roles. */
  readonly refuses?: readonly EntityAction[]
  /**
   * Set when rows form a tree: the field with the parent's id, and the number that orders siblings
   * (null when the caller cannot reorder them).
   */
  readonly tree?: { readonly parentField: string; readonly sortField: string | null }
}

/** Purposes that a form is opened for. */
export type FormMode = 'add' | 'edit'
/** How a form shows a field. */
export type Editing = 'hidden' | 'editable' | 'readonly'

/** Whether the value of a field is computed by a formula (docs/rules/contract.md#derived-fields). */
export function isDerived({ derived }: Pick<Field, 'derived'>): boolean {
  return (derived ?? '').trim() !== ''
}

/**
 * How an add or edit form shows `field`: 0 hidden, 1 editable, 2 read-only
 * (docs/rules/contract.md#entity-data). Disabled and derived fields are read-only.
 * Clients and the server read isAdd and isEdit through this function only.
 */
export function resolveEditing(
  field: Pick<Field, 'isAdd' | 'isEdit' | 'disabled' | 'derived'>,
  mode: FormMode,
): Editing {
  const flag = mode === 'add' ? field.isAdd : field.isEdit
  if (flag === 0) return 'hidden'
  return flag === 2 || field.disabled || isDerived(field) ? 'readonly' : 'editable'
}

/**
 * The configuration of the form of a record in a flow: fields that its state leaves closed are read-only
 * and name the state (docs/rules/contract.md#flows).
 */
export function closeFields(
  config: EntityConfig,
  { name, edit }: { readonly name: string; readonly edit: readonly string[] },
): EntityConfig {
  return {
    ...config,
    fields: config.fields.map((field) =>
      resolveEditing(field, 'edit') === 'editable' && !edit.includes(field.attrName)
        ? { ...field, isEdit: 2, closed: name }
        : field,
    ),
  }
}

/** Why a flow keeps a field of a form from being edited; null where it does not. */
export function explainClosed(
  { closed, owner }: Pick<Field, 'closed' | 'owner'>,
  editing: Editing,
): Message | null {
  if (owner !== undefined && editing === 'readonly')
    return { key: 'field.owned', params: { flow: owner } }
  return closed === undefined ? null : { key: 'field.closed', params: { state: closed } }
}

/**
 * Whether a bulk change can set the field: it must be editable, and neither unique, a serial
 * number, a password nor a list of images.
 */
export function isSettable({
  uiType,
  unique,
  numbered,
  pii,
  ...field
}: Pick<
  Field,
  'uiType' | 'unique' | 'numbered' | 'pii' | 'isAdd' | 'isEdit' | 'disabled' | 'derived'
>): boolean {
  return (
    resolveEditing(field, 'edit') === 'editable' &&
    unique !== true &&
    numbered !== true &&
    // One person's data is never that of many.
    (pii ?? null) === null &&
    findKind(uiType).bulkEditable
  )
}
