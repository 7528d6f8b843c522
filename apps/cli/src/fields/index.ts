import type { Field } from '@jiaowu/api/entity/config'
import { isMoney } from '@jiaowu/api/fields/money'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { Locale } from '@jiaowu/api/locale'
import { starsText } from '@jiaowu/api/fields/stars'
import { t } from '@jiaowu/api/texts/index'
import type { UiType } from '@jiaowu/api/entity/enums'
import type { WireValue } from '@jiaowu/api/entity/values'
import { shownNumber } from '@jiaowu/machines/shown-number'

type Cell = (value: WireValue | undefined, locale: Locale, options: Field['options']) => string
const yesNo: Cell = (value, locale) =>
  value === '1' ? t(locale, 'common.yes') : value === '0' ? t(locale, 'common.no') : ''
const stars: Cell = (value) => starsText(value)

/** Text of a value in a terminal table, by field kind (docs/rules/design.md#field-kinds). */
export const cells = {
  input: createPlainCell('input'),
  textarea: createPlainCell('textarea'),
  password: () => '',
  inputNumber: amount,
  select: createPlainCell('select'),
  multiSelect: createPlainCell('multiSelect'),
  checkbox: createPlainCell('checkbox'),
  radio: createPlainCell('radio'),
  switch: yesNo,
  date: createPlainCell('date'),
  datetime: createPlainCell('datetime'),
  year: createPlainCell('year'),
  time: createPlainCell('time'),
  rate: stars,
  selectTree: createPlainCell('selectTree'),
  multiSelectTree: createPlainCell('multiSelectTree'),
  group: () => '',
  separate: () => '',
  uploadImg: pictures,
  richTextEditor: createPlainCell('richTextEditor'),
} as const satisfies Record<UiType, Cell>

/** The value of a field as a terminal shows it. */
export function cellText(field: Field, value: WireValue | undefined, locale: Locale): string {
  return cells[field.uiType](value, locale, field.options)
}

function amount(value: WireValue | undefined, locale: Locale, options: Field['options']): string {
  return isMoney({ uiType: 'inputNumber', options })
    ? shownNumber(value, options, locale)
    : findKind('inputNumber').toText(value)
}

function pictures(value: WireValue | undefined, locale: Locale): string {
  return Array.isArray(value) && value.length > 0
    ? t(locale, 'grid.pictures', { n: value.length })
    : ''
}

function createPlainCell(uiType: UiType): Cell {
  return (value) => findKind(uiType).toText(value)
}
