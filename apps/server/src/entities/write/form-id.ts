import { randomUUID } from 'node:crypto'
import { madeAt } from '../../platform/id.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { type Column, columnViolation, familyOf } from '../../model/fields/column.ts'

const largestId = '9223372036854775807'

const day = 86_400_000

/**
 * Whether the text is an id that `generateId` made at most a day ago or, by a server whose clock is
 * ahead, a day from now: callers choose neither small numbers nor a row that stays newest.
 */
export function isFormId(id: string, now: number): boolean {
  const at = madeAt(id)
  return at !== null && Math.abs(now - at) <= day
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

/** The key that the server gives a new row; null when the database or a form gives it. */
export function serverKey(entity: LoadedEntity, newId: () => string): string | null {
  const { id } = entity
  if (id.hasDefault || id.generated) return null
  return familyOf(id) === 'uuid' ? randomUUID() : takesFormId(entity) ? newId() : null
}

/** A text would hold the number, but a key of texts has a meaning that a number has not. */
function isNumber(id: Column): boolean {
  return ['integer', 'decimal'].includes(familyOf(id) ?? '')
}
