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
export { parseDecimal } from './families.ts'

/** What each uiType means on the wire: the row every surface's own table stands beside (docs/rules/design.md#field-kinds). */
export const fieldKinds = {
  input: text,
  textarea: text,
  password: secret,
  inputNumber: number,
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
  group: layout,
  separate: layout,
  uploadImg: images,
  richTextEditor: html,
} as const satisfies Record<UiType, FieldKind>

/** What a field of that kind means. One this program is too old to know holds no value, so that the rest of its form works. */
export function kindOf(uiType: UiType): FieldKind {
  return (fieldKinds as Readonly<Partial<Record<UiType, FieldKind>>>)[uiType] ?? layout
}
/** Layout kinds hold no value and take no part in lists, queries and sheets. */
export const holdsValue = (uiType: UiType): boolean => kindOf(uiType).family !== 'layout'
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
  const { minWidth } = kindOf(uiType)
  return minWidth === 'label' ? Math.max(80, 25 * [...label].length) : minWidth
}
