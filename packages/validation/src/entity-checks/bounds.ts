// Bounds that no value can meet, or that a field of its kind ignores (docs/rules/contract.md#rules-of-values),
// and switches that mark no number as low (docs/rules/contract.md#low-numbers).
import { findKind } from '@jiaowu/api/fields/kinds'
import { boundNames, boundsIn } from '../bounds/bounds.ts'
import { type Check, eachField, error, warning } from './finding.ts'

export const boundChecks: readonly Check[] = [
  error(
    'entity.E110',
    eachField('valids', (field) => {
      const { min, max, step } = boundsIn(field, null)
      return (min !== undefined && max !== undefined && Number(min) > Number(max)) ||
        (step !== undefined && Number(step) <= 0)
        ? { min: min ?? '', max: max ?? '', step: step ?? '' }
        : undefined
    }),
  ),
  warning(
    'entity.E111',
    eachField('valids', ({ uiType, valids }) =>
      boundNames.some((name) => valids[name] !== undefined) && findKind(uiType).family !== 'number'
        ? { kind: uiType }
        : undefined,
    ),
  ),
  error(
    'entity.E120',
    eachField('options', ({ options: { warnUnless } }, { byName }) => {
      if (warnUnless === undefined) return undefined
      const flag = byName.get(warnUnless)
      return flag !== undefined && flag.isList === 1 && findKind(flag.uiType).family === 'flag'
        ? undefined
        : { name: warnUnless }
    }),
  ),
]
