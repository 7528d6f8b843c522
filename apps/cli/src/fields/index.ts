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
  input: plain('input'),
  textarea: plain('textarea'),
  password: () => '',
  inputNumber: amount,
  select: plain('select'),
  multiSelect: plain('multiSelect'),
  checkbox: plain('checkbox'),
  radio: plain('radio'),
  switch: yesNo,
  date: plain('date'),
  datetime: plain('datetime'),
  year: plain('year'),
  time: plain('time'),
  rate: stars,
  selectTree: plain('selectTree'),
  multiSelectTree: plain('multiSelectTree'),
  group: () => '',
  separate: () => '',
  uploadImg: pictures,
  richTextEditor: plain('richTextEditor'),
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

function plain(uiType: UiType): Cell {
  return (value) => findKind(uiType).toText(value)
}
