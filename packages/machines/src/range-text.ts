import type { Field } from '@jiaowu/api/entity/config'
import { valueText } from '@jiaowu/api/fields/money'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import type { Values } from '@jiaowu/api/entity/values'
import { boundsIn } from '@jiaowu/validation'

/**
 * The values that a number takes in a row, as inputs say them before anything is typed: `0 – 150`. Empty
 * without bounds, and where the row lacks what they read.
 */
export function formatRange(field: Field, row: Values, locale: Locale): string {
  const { min, max, step } = boundsIn(field, row)
  const shown = (bound: string) => valueText(field, bound)
  const ends =
    min !== undefined && max !== undefined
      ? t(locale, 'range.between', { min: shown(min), max: shown(max) })
      : min !== undefined
        ? t(locale, 'range.from', { min: shown(min) })
        : max !== undefined
          ? t(locale, 'range.upTo', { max: shown(max) })
          : ''
  const steps = step === undefined ? '' : t(locale, 'range.step', { step: shown(step) })
  return ends !== '' && steps !== '' ? t(locale, 'range.both', { ends, steps }) : `${ends}${steps}`
}
