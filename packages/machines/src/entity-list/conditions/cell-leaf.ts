import type { Field } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { WhereLeaf } from '@jiaowu/api/entity/list/list-query'
import type { WireValue } from '@jiaowu/api/entity/values'
import { toGroupKey } from '../group-key.ts'

export type CellStep = 'only' | 'except'

/** The condition that keeps or leaves out the rows with the value of a cell; null: the field has none. */
export function cellLeaf(
  field: Field,
  value: WireValue | undefined,
  step: CellStep,
): WhereLeaf | null {
  const { family, multiple } = findKind(field.uiType)
  // A list may hold only the masked form of personal data.
  if (field.isQuery !== 1 || (field.pii ?? null) !== null || family === 'media') return null
  const column = field.attrName
  const key = toGroupKey(value)
  if (key === '') return { column, op: step === 'only' ? 'isEmpty' : 'notEmpty' }
  if (family === 'choice') {
    // With its name, which rows that are left out do not tell.
    const op = step === 'except' ? 'notEqual' : multiple ? 'equal' : 'in'
    return { column, op, value: Array.isArray(value) ? value : [key] }
  }
  return {
    column,
    op: step === 'only' ? 'equal' : 'notEqual',
    value: family === 'number' ? value : key,
  }
}
