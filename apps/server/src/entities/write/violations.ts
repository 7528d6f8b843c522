// Turns constraint violations of the database into faults of fields.
import { type Fault, Invalid, Refusal } from '../../platform/refusal.ts'
import { brokenConstraint, type BrokenConstraint } from '../../platform/database/problems.ts'
import { type EntityAccess, isAllowed } from '../../access/access.ts'
import type { LoadedField } from '../definition/loaded.ts'
import { fault } from '../read/query.ts'

/**
 * An error handler that rethrows a constraint violation as faults of its fields, and other errors
 * unchanged.
 */
export function asFaults(access: EntityAccess) {
  return (error: unknown): never => {
    const broken = brokenConstraint(error)
    if (
      broken === undefined ||
      (broken.table !== undefined && broken.table !== access.entity.table.name)
    )
      throw error
    const faults = faultsOf(access, broken)
    if (faults.length > 0) throw new Invalid(faults)
    if (broken.kind === 'unique')
      throw new Refusal(409, {
        key: 'problem.conflict',
        params: { what: access.entity.definition.name },
      })
    if (broken.kind === 'foreignKey') throw new Refusal(409, { key: 'problem.inUse' })
    throw new Refusal(422, { key: 'problem.invalid' })
  }
}

function faultsOf(access: EntityAccess, { kind, constraint, column }: BrokenConstraint): Fault[] {
  const { entity } = access
  if (kind === 'unique') {
    const columns = entity.table.uniques.get(constraint ?? '') ?? []
    if (columns.length === 1 && columns[0] === entity.id.name)
      return [fault('id', 'unique', { key: 'rule.unique' })]
    return fieldsOf(access, columns).map(({ definition }) =>
      fault(definition.attrName, 'unique', { key: 'rule.unique' }),
    )
  }
  const [field] = fieldsOf(access, column === undefined ? [] : [column])
  return kind === 'notNull' && field !== undefined
    ? [fault(field.definition.attrName, 'required', { key: 'rule.required' })]
    : []
}

function fieldsOf(access: EntityAccess, columns: readonly string[]): LoadedField[] {
  const named = columns.filter((column) => column !== 'tenant_id')
  return access.entity.fields.filter(
    (field) =>
      field.column !== null && named.includes(field.column.name) && isAllowed(access, field, 'any'),
  )
}
