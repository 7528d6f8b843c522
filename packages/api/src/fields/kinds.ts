import type { UiType } from '../entity/enums.ts'
import {
  date,
  datetime,
  type FieldKind,
  flag,
  html,
  images,
  layout,
  number,
  secret,
  several,
  severalTree,
  single,
  singleTree,
  text,
  time,
  year,
} from './families.ts'

export type { FieldKind } from './families.ts'

/**
 * The meaning of each uiType. Every surface keeps its own table of rows beside this one
 * (docs/rules/design.md#field-kinds); code elsewhere reads properties and never compares uiTypes.
 */
export const fieldKinds = {
  input: { ...text, singleLine: true },
  textarea: text,
  password: secret,
  inputNumber: { ...number, ordinal: true, align: 'right' },
  select: single,
  multiSelect: several,
  checkbox: several,
  radio: single,
  switch: flag,
  date,
  datetime,
  year,
  time,
  rate: number,
  selectTree: singleTree,
  multiSelectTree: severalTree,
  group: { ...layout, layout: 'group' },
  separate: { ...layout, layout: 'divider' },
  uploadImg: images,
  richTextEditor: html,
} as const satisfies Record<UiType, FieldKind>

/** The row of a uiType. A kind newer than this program holds no value, so its form still works. */
export function findKind(uiType: UiType): FieldKind {
  return (fieldKinds as Readonly<Partial<Record<UiType, FieldKind>>>)[uiType] ?? layout
}

/** False for layout kinds, which take no part in lists, queries and sheets. */
export const holdsValue = (uiType: UiType): boolean => findKind(uiType).family !== 'layout'

/** Whether lists can be filtered by fields of the kind. */
export const isFilterable = (kind: FieldKind): boolean => kind.operators.length > 0

/** Whether a value counts as empty. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  )
}

/** Least width of a list column in pixels (docs/spec/1-entity-console.md §9). */
export function minColumnWidth(uiType: UiType, label: string): number {
  const { minWidth } = findKind(uiType)
  return minWidth === 'label' ? Math.max(80, 25 * [...label].length) : minWidth
}
