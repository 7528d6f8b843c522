import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import type { TableColumn } from '@jiaowu/api/entity/definition/table'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import type { Draft, Flag } from '@jiaowu/machines/designer/draft'
import { buildChoices, type ConfigRow, type ConfigTools, withKey } from '../rows.ts'

/** Subject that the sections of a field are made from. */
export interface FieldSubject {
  readonly field: FieldDefinition
  readonly draft: Draft
  readonly columns: readonly TableColumn[]
  readonly tools: ConfigTools
}

export type FieldOptions = FieldDefinition['options']

/** Edit that sets attributes of a field. */
export function setField(id: string, patch: Partial<FieldDefinition>): DesignerEdit {
  return {
    type: 'field.set',
    id,
    patch,
  }
}

/** Edit that sets one option of a field, or removes it if the value is undefined. */
export function setOption<K extends keyof FieldOptions>(
  { id, options }: FieldDefinition,
  key: K,
  value: FieldOptions[K] | undefined,
) {
  return setField(id, { options: withKey(options, key, value) })
}

/** The text, or undefined if it is blank. */
export function orNone(text: string): string | undefined {
  return text.trim() === '' ? undefined : text
}

/** The text, or null if it is blank. */
export function orNull(text: string): string | null {
  return orNone(text) ?? null
}

/** Switch for a 0/1 flag; `isInverse` shows 0 as on. */
export function flagRow(field: FieldDefinition, flag: Flag, isInverse = false): ConfigRow {
  return {
    path: flag,
    label: `designer.a.${flag}`,
    control: {
      is: 'switch',
      value: (field[flag] === 1) !== isInverse,
      set: () => ({ type: 'field.toggle', id: field.id, flag }),
    },
  }
}

export function modeRow(
  field: FieldDefinition,
  path: 'isAdd' | 'isEdit',
  { t }: ConfigTools,
): ConfigRow {
  return {
    path,
    label: `designer.a.${path}`,
    control: {
      is: 'choice',
      value: String(field[path]),
      items: buildChoices([0, 1, 2] as const, (mode) => t(`enum.editMode.${mode}`)),
      set: (value) => setField(field.id, { [path]: Number(value) }),
    },
  }
}
