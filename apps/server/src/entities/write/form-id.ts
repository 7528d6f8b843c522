import type { LoadedEntity } from '../definition/loaded.ts'
import { columnViolation } from '../fields/column.ts'

const largestId = '9223372036854775807'

/** Whether the text has the form of an id of `generateId`, so that callers cannot choose small numbers. */
export function isFormId(id: string): boolean {
  return /^[1-9]\d{14,18}$/.test(id)
}

/** Whether new rows may take the id that `generateId` gave their form (docs/rules/contract.md#creates). */
export function takesFormId({ id }: Pick<LoadedEntity, 'id'>): boolean {
  return !id.hasDefault && !id.generated && columnViolation(largestId, id) === null
}
