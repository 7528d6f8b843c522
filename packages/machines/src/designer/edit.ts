import { parseEntity } from '@jiaowu/validation'
import type { Message } from '@jiaowu/api'
import type { DesignerContext, DesignerEdit } from './types.ts'
import {
  addButton,
  addColumn,
  addCustom,
  addGroup,
  addSegment,
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
  setField,
  setOptions,
  setSegment,
  toggleFlag,
} from './draft.ts'
import { repeatedKey } from './repeated-key.ts'

/** Indentation of the JSON editor (docs/spec/2-student-service-and-designer.md §9). */
export const jsonIndent = 4
export const jsonOf = (draft: Draft): string => JSON.stringify(draft, null, jsonIndent)

/**
 * What the JSON editor holds: a definition, or why it is none
 * (docs/spec/2-student-service-and-designer.md §5: refused with 'check the format').
 */
export function readJson(
  text: string,
):
  | { readonly draft: Draft; readonly fault: null }
  | { readonly draft: null; readonly fault: Message } {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
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

/** The draft after an edit; the same object when the edit changes nothing. */
export function edited(
  context: Pick<DesignerContext, 'draft' | 'columns'>,
  edit: DesignerEdit,
): Draft {
  const draft = applied(context, edit)
  return draft !== context.draft && JSON.stringify(draft) === JSON.stringify(context.draft)
    ? context.draft
    : draft
}

function applied(
  { draft, columns }: Pick<DesignerContext, 'draft' | 'columns'>,
  edit: DesignerEdit,
): Draft {
  switch (edit.type) {
    case 'column.add': {
      const column = columns.find(({ columnName }) => columnName === edit.columnName)
      return column === undefined || fieldForColumn(draft, column) !== undefined
        ? draft
        : addColumn(draft, column, edit.at)
    }
    case 'group.add':
      return addGroup(draft, edit.at)
    case 'custom.add':
      return isCustomValid(draft, edit.field) ? addCustom(draft, edit.field, edit.at) : draft
    case 'field.move':
      return hasField(draft, edit.id) ? moveField(draft, edit.id, edit.to) : draft
    case 'field.remove':
      return hasField(draft, edit.id) ? removeField(draft, edit.id) : draft
    case 'field.set':
      return hasField(draft, edit.id) ? setField(draft, edit.id, edit.patch) : draft
    case 'field.toggle':
      return hasField(draft, edit.id) ? toggleFlag(draft, edit.id, edit.flag) : draft
    case 'entity.set':
      return setEntity(draft, edit.patch)
    case 'option.set':
      return setOptions(draft, edit.patch)
    case 'serial.add':
      return addSegment(draft, edit.segment)
    case 'serial.set':
      return edit.index in draft.options.serialNumConfig
        ? setSegment(draft, edit.index, edit.segment)
        : draft
    case 'serial.remove':
      return edit.index in draft.options.serialNumConfig ? removeSegment(draft, edit.index) : draft
    case 'button.add':
      return addButton(draft)
    case 'button.set':
      return edit.index in draft.buttons ? setButton(draft, edit.index, edit.patch) : draft
    case 'button.move':
      return edit.index in draft.buttons ? moveButton(draft, edit.index, edit.to) : draft
    case 'button.remove':
      return edit.index in draft.buttons ? removeButton(draft, edit.index) : draft
    case 'draft.replace':
      return edit.draft
  }
}

/**
 * What is selected after an edit: what was added, or the field a column already has; nothing that
 * is gone.
 */
export function selectedAfter(
  context: DesignerContext,
  edit: DesignerEdit,
  draft: Draft,
): string | null {
  const before = new Set(context.draft.fields.map(({ id }) => id))
  const added = draft.fields.find(({ id }) => !before.has(id))
  if (added !== undefined && edit.type !== 'draft.replace') return added.id
  if (edit.type === 'column.add') {
    const column = context.columns.find(({ columnName }) => columnName === edit.columnName)
    return (
      (column === undefined ? undefined : fieldForColumn(draft, column))?.id ?? context.selected
    )
  }
  return context.selected !== null && hasField(draft, context.selected) ? context.selected : null
}
