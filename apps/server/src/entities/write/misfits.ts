// Values that a trigger, a generated column or a domain of the table refuses: the database names no
// column, so the field is found by the value, the type and its limits.
import type { Message } from '@jiaowu/api/texts/index'
import { brokenDomain, type MisfitValue, misfitValue } from '../../platform/database/problems.ts'
import type { Fault } from '../../platform/refusal.ts'
import { type EntityAccess, isAllowed } from '../../access/access.ts'
import type { LoadedField } from '../../model/definition/loaded.ts'
import { buildFilterFault } from '../read/query.ts'
import type { Change } from './values/values.ts'

/** None where several fields could be meant and the database says too little. */
export function misfitFaults(
  access: EntityAccess,
  changes: readonly Change[],
  error: unknown,
): Fault[] {
  const fields = access.entity.fields.filter((field) => isAllowed(access, field, 'any'))
  const domain = brokenDomain(error)
  if (domain !== null)
    return findMeantFields(
      fields.filter((field) => isOfDomain(field, domain)),
      changes,
    ).map(({ definition }) =>
      buildFilterFault(definition.attrName, 'check', {
        key: 'rule.check',
        params: { name: domain },
      }),
    )
  const misfit = misfitValue(error)
  if (misfit === null) return []
  const { text } = misfit
  if (text !== undefined)
    return changes
      .filter(({ field, value }) => fields.includes(field) && toMisfitText(field, value) === text)
      .map(({ field }) =>
        buildFilterFault(field.definition.attrName, 'value', { key: 'rule.notTaken' }),
      )
  return findMeantFields(
    fields.filter((field) => isOfType(field, misfit)),
    changes,
  ).map(({ definition }) =>
    buildFilterFault(definition.attrName, 'value', buildMisfitMessage(misfit)),
  )
}

/** The only field, or the only one that was sent. */
function findMeantFields(
  fields: readonly LoadedField[],
  changes: readonly Change[],
): readonly LoadedField[] {
  if (fields.length <= 1) return fields
  const sent = fields.filter((field) => changes.some((change) => change.field === field))
  return sent.length === 1 ? sent : []
}

function toMisfitText(field: LoadedField, value: Change['value']): string {
  return typeof value === 'string' ? value : field.kind.toText(value)
}

function isOfDomain({ definition: { columnType } }: LoadedField, domain: string): boolean {
  return (columnType ?? '').replaceAll('"', '').split('.').at(-1) === domain
}

function isOfType(
  { column, definition: { columnType } }: LoadedField,
  { type, length, precision, scale }: MisfitValue,
): boolean {
  if (column === null || column.type !== type) return false
  if (length !== undefined) return column.length === length
  return precision === undefined || columnType === `numeric(${precision},${scale ?? 0})`
}

function buildMisfitMessage({ length, precision, scale }: MisfitValue): Message {
  if (length !== undefined) return { key: 'rule.computedLength', params: { n: length } }
  return precision === undefined
    ? { key: 'rule.computedRange' }
    : { key: 'rule.computedDigits', params: { n: precision - (scale ?? 0) } }
}
