// Words of surfaces for the lines and columns of a pasted block.
import type { Field } from '@jiaowu/api/entity/config'
import type { Message } from '@jiaowu/api/texts/index'
import type { PasteColumn, PasteLine } from './types.ts'

/** Why a line has to be decided on. */
export function lineMessage({ verdict, index, held, pasted }: PasteLine): Message {
  switch (verdict) {
    case 'differs':
      return index === null
        ? { key: 'grid.lineDiffersFar', params: { held, pasted } }
        : { key: 'grid.lineDiffers', params: { row: index + 1, held, pasted } }
    case 'ambiguous':
      return { key: 'grid.lineAmbiguous', params: { pasted } }
    case 'unknown':
    case 'new':
      return { key: 'grid.lineUnknown', params: { pasted } }
    case 'repeated':
    case 'ready':
      return { key: 'grid.lineRepeated', params: { pasted } }
    default:
      return verdict satisfies never
  }
}

/** The columns that are written, only compared, and left out, as lists of names. */
export function matchNames(
  { columns }: { readonly columns: readonly PasteColumn[] },
  fields: readonly Field[],
) {
  const names = (uses: readonly PasteColumn['use'][]) =>
    columns
      .flatMap(({ use, attrName, header }, i) => {
        if (!uses.includes(use)) return []
        const label = fields.find((field) => field.attrName === attrName)?.uiLabel ?? ''
        const name = label === '' ? header : label
        return [name === '' ? String(i + 1) : name]
      })
      .join('、')
  return { written: names(['write']), checked: names(['key', 'check']), loose: names(['none']) }
}
