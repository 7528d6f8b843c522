// Turns what the database refuses into faults of fields, in words that name them.
import type { Message } from '@jiaowu/api'
import { sql } from 'kysely'
import { type Fault, Invalid, Refusal } from '../../platform/refusal.ts'
import {
  brokenConstraint,
  type BrokenConstraint,
  isDataError,
  raisedMessage,
} from '../../platform/database/problems.ts'
import { type EntityAccess, isAllowed } from '../../access/access.ts'
import type { LoadedField } from '../definition/loaded.ts'
import { typed } from '../definition/names.ts'
import { castOf, familyOf } from '../fields/column.ts'
import { fault } from '../read/query.ts'
import type { AnyDatabase } from '../read/rows.ts'
import type { Change } from './values.ts'

/** What a failed write tried, to find the value that the database could not read. */
export interface Attempt {
  readonly db: AnyDatabase
  readonly changes: readonly Change[]
}

/** As `asFaults`, and finds the values that the database could not read. */
export function explained(access: EntityAccess, attempt: Attempt) {
  return async (error: unknown): Promise<never> => {
    if (brokenConstraint(error) === undefined && isDataError(error)) {
      const faults = await unreadableValues(attempt)
      if (faults.length > 0) throw new Invalid(faults)
    }
    return asFaults(access)(error)
  }
}

/**
 * An error handler that rethrows what the database refused as faults of its fields, and other errors
 * unchanged.
 */
export function asFaults(access: EntityAccess) {
  return (error: unknown): never => {
    const broken = brokenConstraint(error)
    if (broken === undefined) throw isDataError(error) ? refusalOf(error) : error
    if (isElsewhere(access, broken)) throw error
    const faults = faultsOf(access, broken)
    if (faults.length > 0) throw new Invalid(faults)
    throw refusalFor(access, broken)
  }
}

/** A trigger may write to another table, whose faults are not those of this form. */
function isElsewhere(access: EntityAccess, { table, kind, isHeld }: BrokenConstraint): boolean {
  if (kind === 'foreignKey' && isHeld === true) return false
  return table !== undefined && table !== access.entity.table.name && !isPartition(access, table)
}

/** A violation in a partition names the partition, whose constraints have names of their own. */
function isPartition({ entity }: EntityAccess, table: string): boolean {
  return table.startsWith(entity.table.name)
}

function refusalOf(error: unknown): Refusal {
  const raised = raisedMessage(error)
  return raised === null
    ? new Refusal(422, { key: 'problem.invalid' })
    : new Refusal(422, { key: 'problem.raised', params: { text: raised } })
}

function refusalFor({ entity }: EntityAccess, broken: BrokenConstraint): Refusal {
  switch (broken.kind) {
    case 'unique':
      return new Refusal(409, { key: 'problem.conflict', params: { what: entity.definition.name } })
    case 'foreignKey':
      return new Refusal(409, {
        key: broken.isHeld === true ? 'problem.inUse' : 'problem.noTarget',
      })
    case 'notNull':
      return new Refusal(422, {
        key: 'problem.columnEmpty',
        params: { column: broken.column ?? '' },
      })
    case 'check':
      return new Refusal(422, { key: 'problem.check', params: { name: broken.constraint ?? '' } })
  }
}

function faultsOf(
  access: EntityAccess,
  { kind, constraint, column, isHeld }: BrokenConstraint,
): Fault[] {
  const { entity } = access
  const named = (columns: readonly string[], rule: string, message: Message) =>
    fieldsOf(access, columns).map(({ definition }) => fault(definition.attrName, rule, message))
  switch (kind) {
    case 'unique': {
      const columns = entity.table.uniques.get(constraint ?? '') ?? []
      if (!entity.typesKey && columns.length === 1 && columns[0] === entity.id.name)
        return [fault('id', 'unique', { key: 'rule.unique' })]
      return named(columns, 'unique', { key: 'rule.unique' })
    }
    case 'notNull':
      return named(column === undefined ? [] : [column], 'required', {
        key: 'rule.required',
      }).slice(0, 1)
    case 'foreignKey':
      return isHeld === true
        ? []
        : named(constraintColumns(access, constraint), 'choice', { key: 'rule.noTarget' })
    case 'check':
      return named(constraintColumns(access, constraint), 'check', {
        key: 'rule.check',
        params: { name: constraint ?? '' },
      })
  }
}

function constraintColumns({ entity }: EntityAccess, name: string | undefined): readonly string[] {
  return entity.table.constraints?.get(name ?? '')?.columns ?? []
}

function fieldsOf(access: EntityAccess, columns: readonly string[]): LoadedField[] {
  const named = columns.filter((column) => column !== 'tenant_id')
  return access.entity.fields.filter(
    (field) =>
      field.column !== null && named.includes(field.column.name) && isAllowed(access, field, 'any'),
  )
}

/** The values whose text the database cannot read as their type. */
async function unreadableValues({ db, changes }: Attempt): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const { field, value } of changes) {
    const { column } = field
    if (column === null || familyOf(column) !== 'other') continue
    const stored = field.storage.store(value, column)
    if (stored === null || stored === undefined) continue
    try {
      await sql`select ${typed(String(stored), castOf(column))}::text as v`.execute(db)
    } catch {
      faults.push(
        fault(field.definition.attrName, 'value', {
          key: 'rule.typeText',
          params: { type: field.definition.columnType ?? column.type },
        }),
      )
    }
  }
  return faults
}
