// Edits of a definition as pure functions, applied by the designer machine to its draft
// (docs/spec/2-student-service-and-designer.md §4, designer).
import { type Button, buttonSchema } from '@jiaowu/api/entity/definition/button'
import {
  type EntityDefinition,
  type EntityOptions,
  entityOptionsSchema,
  type FieldDefinition,
  fieldDefinitionSchema,
  type FieldDraft,
  type SerialSegment,
} from '@jiaowu/api/entity/definition/definition'
import { fieldNameOfColumn, fieldOfColumn, mayRepeat } from '@jiaowu/api/entity/definition/draft'
import { findKind } from '@jiaowu/api/fields/kinds'
import { serialTypes } from '@jiaowu/api/entity/enums'
import type { TableColumn } from '@jiaowu/api/entity/definition/table'
import { refit } from '@jiaowu/validation'
import * as v from 'valibot'
import { followRename } from './rename.ts'

/**
 * A definition being edited. It has the shape of a stored one; parts not filled in are empty and
 * reported by the checks.
 */
export type Draft = EntityDefinition
export type Flag =
  | 'isList'
  | 'isQuery'
  | 'isDetail'
  | 'isExport'
  | 'isInsert'
  | 'isUpdate'
  | 'isNull'
  | 'isTag'
  | 'isDerived'
  | 'isPk'
export interface CustomField {
  readonly uiLabel: string
  readonly columnType: string
  readonly attrName: string
}

/**
 * Temporary ids are negative; the server assigns real ones on save
 * (docs/spec/2-student-service-and-designer.md §3).
 */
function nextId({ fields }: Draft): string {
  return String(Math.min(0, ...fields.map(({ id }) => Number(id)).filter((id) => id < 0)) - 1)
}

const lastSort = ({ fields }: Draft): number => Math.max(0, ...fields.map(({ uiSort }) => uiSort))

/** The field of a column, if it has one; structured columns can be added repeatedly. */
export function fieldForColumn(
  { fields }: Draft,
  column: TableColumn,
): FieldDefinition | undefined {
  return mayRepeat(column)
    ? undefined
    : fields.find(({ columnName }) => columnName === column.columnName)
}

export function addColumn(draft: Draft, column: TableColumn, at?: number): Draft {
  const field = parseDraftField(
    fieldOfColumn(draft.tableName, column, nextId(draft), lastSort(draft) + 1),
  )
  return insertField(draft, { ...field, attrName: freeName(draft, field.attrName) }, at)
}

/** Drafts may lack an attrName, which the schema requires only on save. */
function parseDraftField({ attrName, ...rest }: FieldDraft): FieldDefinition {
  return {
    ...v.parse(fieldDefinitionSchema, { ...rest, attrName: 'x' }),
    attrName,
  }
}

function insertField(draft: Draft, field: FieldDefinition, at: number | undefined): Draft {
  const fields = draft.fields.toSorted((a, b) => a.uiSort - b.uiSort)
  fields.splice(at ?? fields.length, 0, field)
  return { ...draft, fields: renumberFields(fields) }
}

function renumberFields(fields: readonly FieldDefinition[]): FieldDefinition[] {
  return fields.map((field, index) =>
    field.uiSort === index + 1 ? field : { ...field, uiSort: index + 1 },
  )
}

/** A free attrName: a second `name` becomes `name2`. */
function freeName({ fields }: Draft, wanted: string): string {
  const taken = new Set(fields.map(({ attrName }) => attrName.toLowerCase()))
  if (wanted === '' || !taken.has(wanted.toLowerCase())) return wanted
  for (let n = 2; ; n += 1) if (!taken.has(`${wanted}${n}`.toLowerCase())) return `${wanted}${n}`
}

/**
 * A header for the fields that follow: titled `group`, 100 % wide
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export function addGroup(draft: Draft, at?: number): Draft {
  return insertField(
    draft,
    parseDraftField({
      id: nextId(draft),
      attrName: freeName(draft, 'group'),
      uiLabel: 'group',
      uiType: 'group',
      uiWidth: 100,
      isList: 0,
      isDetail: 1,
      isAdd: 1,
      isEdit: 1,
    }),
    at,
  )
}

/**
 * A field without a column (docs/spec/2-student-service-and-designer.md §3), stored outside the
 * table.
 */
export function addCustom(
  draft: Draft,
  { uiLabel, columnType, attrName }: CustomField,
  at?: number,
): Draft {
  return insertField(
    draft,
    parseDraftField({
      id: nextId(draft),
      attrName,
      uiLabel,
      columnType,
      uiWidth: 50,
      isDetail: 1,
      isList: 1,
    }),
    at,
  )
}

/**
 * All three are required (docs/spec/2-student-service-and-designer.md §5), and the name must be
 * unused.
 */
export function isCustomValid(
  { fields }: Draft,
  { uiLabel, columnType, attrName }: CustomField,
): boolean {
  return (
    uiLabel.trim() !== '' &&
    columnType.trim() !== '' &&
    /^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(attrName) &&
    !fields.some((field) => field.attrName.toLowerCase() === attrName.toLowerCase())
  )
}

export function hasField({ fields }: Draft, id: string): boolean {
  return fields.some((field) => field.id === id)
}

export function removeField(draft: Draft, id: string): Draft {
  return {
    ...draft,
    fields: renumberFields(
      draft.fields.toSorted((a, b) => a.uiSort - b.uiSort).filter((field) => field.id !== id),
    ),
  }
}

/** `to` is the new index among the fields, from 0; larger values mean the end. */
export function moveField(draft: Draft, id: string, to: number): Draft {
  const sorted = draft.fields.toSorted((a, b) => a.uiSort - b.uiSort)
  const field = sorted.find((each) => each.id === id)
  return field === undefined
    ? draft
    : { ...draft, fields: renumberFields(moveItem(sorted, field, to)) }
}

/** Moves one item; `to` is its new index, from 0; larger values mean the end. */
function moveItem<T>(items: readonly T[], item: T, to: number): T[] {
  const rest = items.filter((each) => each !== item)
  rest.splice(Math.max(0, Math.min(to, rest.length)), 0, item)
  return rest
}

export function setField(draft: Draft, id: string, patch: Partial<FieldDefinition>): Draft {
  const before = draft.fields.find((field) => field.id === id)
  const named =
    before === undefined || patch.attrName === undefined
      ? draft
      : followRename(draft, before.attrName, patch.attrName)
  return {
    ...named,
    fields: named.fields.map((field) =>
      field.id === id ? { ...field, ...clearDependentValues(field, patch), ...patch, id } : field,
    ),
  }
}

/**
 * Sets attributes of a field. With another control it loses the operator, source, default and rules
 * that the control cannot have, and what depends on them: cascades from it, a sort by it.
 */
export function changeField(draft: Draft, id: string, patch: Partial<FieldDefinition>): Draft {
  const before = draft.fields.find((field) => field.id === id)
  if (before === undefined || patch.uiType === undefined || patch.uiType === before.uiType)
    return setField(draft, id, patch)
  const fitted = setField(draft, id, { ...refit(before, patch.uiType), ...patch })
  const after = fitted.fields.find((field) => field.id === id) ?? before
  const isParent = findKind(after.uiType).family === 'choice'
  return {
    ...fitted,
    fields: isParent
      ? fitted.fields
      : fitted.fields.map((field) => withoutCascade(field, before.attrName)),
    options:
      after.isList === 1
        ? fitted.options
        : {
            ...fitted.options,
            sorts: fitted.options.sorts.filter(({ column }) => column !== before.attrName),
          },
  }
}

function withoutCascade(field: FieldDefinition, parent: string): FieldDefinition {
  const { cascades, ...options } = field.options
  const rest = cascades?.filter(({ attrName }) => attrName !== parent) ?? []
  if (cascades === undefined || rest.length === cascades.length) return field
  return { ...field, options: { ...options, ...(rest.length > 0 && { cascades: rest }) } }
}

/**
 * Changing the type of the default, dictionary or link clears its value
 * (docs/spec/2-student-service-and-designer.md §4).
 */
function clearDependentValues(
  field: FieldDefinition,
  patch: Partial<FieldDefinition>,
): Partial<FieldDefinition> {
  return {
    ...(patch.uiDefaultType === undefined || patch.uiDefaultType === field.uiDefaultType
      ? {}
      : { defaultValue: null }),
    ...(patch.dictType === undefined || patch.dictType === field.dictType
      ? {}
      : { dictValue: null }),
    ...(patch.linkType === undefined || patch.linkType === field.linkType ? {} : { linkUrl: null }),
  }
}

export function toggleFlag(draft: Draft, id: string, flag: Flag): Draft {
  return {
    ...draft,
    fields: draft.fields.map((field) =>
      field.id === id ? { ...field, [flag]: field[flag] === 1 ? 0 : 1 } : field,
    ),
  }
}

export type EntityPatch = Partial<
  Pick<Draft, 'tag' | 'name' | 'nameEn' | 'idField' | 'tagField' | 'parentField'>
>
export const setEntity = (draft: Draft, patch: EntityPatch): Draft => ({ ...draft, ...patch })

/**
 * Single and multiple selection exclude each other
 * (docs/spec/2-student-service-and-designer.md §5); a custom serial number starts with a counter
 * (docs/spec/2-student-service-and-designer.md §4).
 */
export function setOptions(draft: Draft, patch: Partial<EntityOptions>): Draft {
  const options: EntityOptions = { ...draft.options, ...patch }
  const selection =
    patch.singleSelect === true
      ? { multiSelect: false }
      : patch.multiSelect === true
        ? { singleSelect: false }
        : {}
  const serial =
    options.serialNumType === serialTypes.custom && options.serialNumConfig.length === 0
      ? { serialNumConfig: firstSegments() }
      : {}
  return { ...draft, options: { ...options, ...selection, ...serial } }
}

function firstSegments(): SerialSegment[] {
  return v.parse(entityOptionsSchema, { serialNumConfig: [{ type: 1 }] }).serialNumConfig
}

function createSegment(type: SerialSegment['type']): SerialSegment {
  return type === 1
    ? { type, length: 5, period: 'never' }
    : type === 2
      ? { type, format: 3 }
      : { type, text: 'A' }
}

export function addSegment(draft: Draft, type: SerialSegment['type']): Draft {
  return withSegments(draft, [...draft.options.serialNumConfig, createSegment(type)])
}

function withSegments(draft: Draft, serialNumConfig: SerialSegment[]): Draft {
  return {
    ...draft,
    options: { ...draft.options, serialNumConfig },
  }
}

export function setSegment(draft: Draft, index: number, segment: SerialSegment): Draft {
  return withSegments(
    draft,
    draft.options.serialNumConfig.map((old, at) => (at === index ? segment : old)),
  )
}

export function removeSegment(draft: Draft, index: number): Draft {
  return withSegments(
    draft,
    draft.options.serialNumConfig.filter((_old, at) => at !== index),
  )
}

export function addButton(draft: Draft): Draft {
  const code = freeCode(draft)
  return {
    ...draft,
    buttons: [
      ...draft.buttons,
      v.parse(buttonSchema, { code, name: code, position: 2, eventContent: [] }),
    ],
  }
}

function freeCode({ buttons }: Draft): string {
  for (let n = buttons.length + 1; ; n += 1)
    if (!buttons.some(({ code }) => code === `button${n}`)) return `button${n}`
}

export function setButton(draft: Draft, index: number, patch: Partial<Button>): Draft {
  return {
    ...draft,
    buttons: draft.buttons.map((button, at) => (at === index ? { ...button, ...patch } : button)),
  }
}

/** The order of the list is the order of buttons at every position. */
export function moveButton(draft: Draft, index: number, to: number): Draft {
  const button = draft.buttons[index]
  return button === undefined ? draft : { ...draft, buttons: moveItem(draft.buttons, button, to) }
}

export function removeButton(draft: Draft, index: number): Draft {
  return {
    ...draft,
    buttons: draft.buttons.filter((_button, at) => at !== index),
  }
}

/** The default attrName of a column, shown as placeholder. */
export function suggestedName({ columnName }: Pick<FieldDefinition, 'columnName'>): string {
  return columnName === null ? '' : fieldNameOfColumn(columnName)
}
