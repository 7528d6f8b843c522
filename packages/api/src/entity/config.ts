import { kindOf } from '../fields/kinds.ts'
import type { Button } from './button.ts'
import type { EntityOptions, FieldDefinition } from './definition.ts'
import type { EntityAction } from './permission.ts'
import type { DictItem, Sort } from './values.ts'

/** A field as clients see it: no column, table or SQL names, the label in the caller's language (docs/spec/1-entity-console.md §3). */
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
  /** The items of a local dictionary (dictType 0), sent along so that a form needs no further call. */
  readonly dictData?: readonly DictItem[]
  /** Whether lists may be sorted by it. */
  readonly sortable: boolean
  /** No two records have the same: an import may tell them apart by it. */
  readonly unique?: boolean
  /** A serial number: the server's alone. */
  readonly numbered?: boolean
}

/** What `GET /entity/{tag}/config` answers: only what the caller may see (docs/rules/contract.md#entity-data). */
export interface EntityConfig {
  readonly tag: string
  readonly name: string
  readonly fields: readonly Field[]
  readonly buttons: readonly Button[]
  readonly options: Pick<
    EntityOptions,
    'selection' | 'operColumnShow' | 'singleSelect' | 'multiSelect' | 'openType'
  > & { readonly sorts: readonly Sort[] }
  readonly idField: string
  readonly tagField: string | null
  readonly permissions: readonly string[]
  /** Deleted rows go to a recycle bin, which the caller may look into. */
  readonly recycles?: boolean
  /** What nobody does with these rows, whatever their roles. */
  readonly refuses?: readonly EntityAction[]
  /** Rows stand below one another: what holds the row above, and the number a person orders siblings by (null: they cannot). */
  readonly tree?: { readonly parentField: string; readonly sortField: string | null }
}

/** What is being done with a form. */
export type FormMode = 'add' | 'edit'
/** How a field stands in a form. */
export type Editing = 'hidden' | 'editable' | 'readonly'

/**
 * How `field` stands in an add or edit form: 0 hidden, 1 editable, 2 shown read-only (docs/rules/contract.md#entity-data).
 * The only reader of isAdd and isEdit, on client and server alike. A disabled field is read-only.
 */
export function editingOf(
  field: Pick<FieldDefinition, 'isAdd' | 'isEdit' | 'disabled'>,
  mode: FormMode,
): Editing {
  const flag = mode === 'add' ? field.isAdd : field.isEdit
  if (flag === 0) return 'hidden'
  return flag === 2 || field.disabled ? 'readonly' : 'editable'
}

/** Whether many rows may be given one value of this field at once: editable, and neither a key, a number, a password nor a file of one row. */
export function isSettable({
  uiType,
  unique,
  numbered,
  ...field
}: Pick<Field, 'uiType' | 'unique' | 'numbered' | 'isAdd' | 'isEdit' | 'disabled'>): boolean {
  return (
    editingOf(field, 'edit') === 'editable' &&
    unique !== true &&
    numbered !== true &&
    kindOf(uiType).bulkEditable
  )
}
