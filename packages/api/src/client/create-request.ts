import type { EntityConfig } from '../entity/config.ts'
import { idempotencyHeader } from '../problem.ts'

/**
 * Body and headers of a create, so that sending them again makes no second row
 * (docs/rules/contract.md#creates). `newId`: from `generateId`, made when the form opened; it is the
 * row's id or, where the database makes the ids, the key of the request.
 */
export function createRequest(
  { formId }: Pick<EntityConfig, 'formId'>,
  values: Readonly<Record<string, unknown>>,
  newId: string,
): {
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
} {
  return formId === true
    ? { body: { ...values, id: newId }, headers: {} }
    : { body: values, headers: { [idempotencyHeader]: newId } }
}
