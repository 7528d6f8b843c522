import { parseJson } from '@jiaowu/api/exact-json'
import { parseEntity } from '@jiaowu/validation'
import type { Message } from '@jiaowu/api/texts/index'
import type { DesignerContext, DesignerEdit } from './types.ts'
import {
  addButton,
  addColumn,
  addCustom,
  addGroup,
  addSegment,
  changeField,
  type Draft,
  fieldForColumn,
  hasField,
  isCustomValid,
  moveButton,
  moveField,
  removeButton,
  removeField,
  removeSegment,
  setButton,
  setEntity,
  setOptions,
  setSegment,
  toggleFlag,
} from './draft.ts'
import { applyFlowChange } from './flow/changes.ts'
import { repeatedKey } from './repeated-key.ts'

/** Indentation of the JSON editor (docs/spec/2-student-service-and-designer.md §9). */
export const jsonIndent = 4
export const formatDraftJson = (draft: Draft): string => JSON.stringify(draft, null, jsonIndent)

/**
 * Parses the text of the JSON editor: a definition, or the error
 * (docs/spec/2-student-service-and-designer.md §5: refused with 'check the format').
 */
export function readJson(
  text: string,
):
  | { readonly draft: Draft; readonly fault: null }
  | { readonly draft: null; readonly fault: Message } {
  let parsed: unknown
  try {
    parsed = parseJson(text)
  } catch {
    return { draft: null, fault: { key: 'design.checkFormat' } }
  }
  const name = repeatedKey(text)
  if (name !== null)
    return { draft: null, fault: { key: 'designer.json.keyExists', params: { name } } }
  const { definition, findings } = parseEntity(parsed)
  return definition === null
    ? { draft: null, fault: findings[0]?.message ?? { key: 'design.checkFormat' } }
    : { draft: definition, fault: null }
}

/** The draft after an edit; the same object when nothing changes. */
export function applyEdit(
  context: Pick<DesignerContext, 'draft' | 'columns'>,
  edit: DesignerEdit,
): Draft {
  const draft =
    edit.type === 'flow.edit'
      ? applyFlowChange(context.draft, edit.change)
      : applyEditToDraft(context, edit)
  return draft !== context.draft && JSON.stringify(draft) === JSON.stringify(context.draft)
    ? context.draft
    : draft
}

type EditOf<T extends DesignerEdit['type']> = Extract<DesignerEdit, { readonly type: T }>

function applyEditToDraft(
  { draft, columns }: Pick<DesignerContext, 'draft' | 'columns'>,
  edit: Exclude<DesignerEdit, { readonly type: 'flow.edit' }>,
): Draft {
  switch (edit.type) {
    case 'column.add':
      return withColumn(draft, columns, edit)
    case 'group.add':
      return addGroup(draft, edit.at)
    case 'custom.add':
      return isCustomValid(draft, edit.field) ? addCustom(draft, edit.field, edit.at) : draft
    case 'field.move':
    case 'field.remove':
    case 'field.set':
    case 'field.toggle':
      return hasField(draft, edit.id) ? withField(draft, edit) : draft
    case 'entity.set':
      return setEntity(draft, edit.patch)
    case 'option.set':
      return setOptions(draft, edit.patch)
    case 'serial.add':
      return addSegment(draft, edit.segment)
    case 'serial.set':
    case 'serial.remove':
      return withSegment(draft, edit)
    case 'button.add':
      return addButton(draft)
    case 'button.set':
    case 'button.move':
    case 'button.remove':
      return withButton(draft, edit)
    case 'draft.replace':
      return edit.draft
  }
}

function withColumn(
  draft: Draft,
  columns: DesignerContext['columns'],
  { columnName, at }: EditOf<'column.add'>,
): Draft {
  const column = columns.find((each) => each.columnName === columnName)
  return column === undefined || fieldForColumn(draft, column) !== undefined
    ? draft
    : addColumn(draft, column, at)
}

function withField(
  draft: Draft,
  edit: EditOf<'field.move' | 'field.remove' | 'field.set' | 'field.toggle'>,
): Draft {
  switch (edit.type) {
    case 'field.move':
      return moveField(draft, edit.id, edit.to)
    case 'field.remove':
      return removeField(draft, edit.id)
    case 'field.set':
      return changeField(draft, edit.id, edit.patch)
    case 'field.toggle':
      return toggleFlag(draft, edit.id, edit.flag)
  }
}

function withSegment(draft: Draft, edit: EditOf<'serial.set' | 'serial.remove'>): Draft {
  if (!Object.hasOwn(draft.options.serialNumConfig, edit.index)) return draft
  return edit.type === 'serial.set'
    ? setSegment(draft, edit.index, edit.segment)
    : removeSegment(draft, edit.index)
}

function withButton(
  draft: Draft,
  edit: EditOf<'button.set' | 'button.move' | 'button.remove'>,
): Draft {
  if (!Object.hasOwn(draft.buttons, edit.index)) return draft
  switch (edit.type) {
    case 'button.set':
      return setButton(draft, edit.index, edit.patch)
    case 'button.move':
      return moveButton(draft, edit.index, edit.to)
    case 'button.remove':
      return removeButton(draft, edit.index)
  }
}

/**
 * The selected field after an edit: the added field, or the one its column already has; null when
 * it was removed.
 */
export function selectedAfter(
  context: DesignerContext,
  edit: DesignerEdit,
  draft: Draft,
): string | null {
  const before = new Set(context.draft.fields.map(({ id }) => id))
  const added = draft.fields.find(({ id }) => !before.has(id))
  if (added !== undefined && edit.type !== 'draft.replace' && edit.type !== 'flow.edit')
    return added.id
  if (edit.type === 'column.add') {
    const column = context.columns.find(({ columnName }) => columnName === edit.columnName)
    return (
      (column === undefined ? undefined : fieldForColumn(draft, column))?.id ?? context.selected
    )
  }
  return context.selected !== null && hasField(draft, context.selected) ? context.selected : null
}
