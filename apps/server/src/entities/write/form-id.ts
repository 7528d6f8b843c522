import type { LoadedEntity } from '../definition/loaded.ts'
import { type Column, columnViolation, familyOf } from '../fields/column.ts'

const largestId = '9223372036854775807'

/** Whether the text has the form of an id of `generateId`, so that callers cannot choose small numbers. */
export function isFormId(id: string): boolean {
  return /^[1-9]\d{14,18}$/.test(id)
}

/** Whether new rows may take the id that `generateId` gave their form (docs/rules/contract.md#creates). */
export function takesFormId({
  id,
  typesKey,
}: Pick<LoadedEntity, 'id'> & Partial<Pick<LoadedEntity, 'typesKey'>>): boolean {
  return (
    typesKey !== true &&
    isNumber(id) &&
    !id.hasDefault &&
    !id.generated &&
    columnViolation(largestId, id) === null
  )
}

/** A text would hold the number, but a key of texts has a meaning that a number has not. */
function isNumber(id: Column): boolean {
  return ['integer', 'decimal'].includes(familyOf(id) ?? '')
}
