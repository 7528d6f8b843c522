// Turns what the database refuses into faults of fields, in words that name them.
import { cutText } from '@jiaowu/api/cut-text'
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import type { Message } from '@jiaowu/api/texts/index'
import { valueText } from '@jiaowu/api/fields/money'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { type Fault, Invalid, Refusal } from '../../platform/refusal.ts'
import {
  brokenConstraint,
  type BrokenConstraint,
  isDataError,
  raisedColumn,
  raisedMessage,
  sqlState,
} from '../../platform/database/problems.ts'
import { type EntityAccess, isAllowed } from '../../access/access.ts'
import { tableKey } from '../../model/definition/column-key.ts'
import { entityName, type LoadedField } from '../../model/definition/loaded.ts'
import { quoteName, formatTyped } from '../../model/definition/names.ts'
import { chooseCast, familyOf } from '../../model/fields/column.ts'
import { buildFilterFault } from '../read/query.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import { personIndex, personTaken } from './accounts.ts'
import { misfitFaults } from './misfits.ts'
import type { Change } from './values/values.ts'

/** The values of a failed write, to find the one that the database could not read. */
export interface Attempt {
  readonly context: Context
  readonly db: AnyDatabase
  readonly changes: readonly Change[]
}

/** As `asFaults`, with the values that were refused, and those that the database could not read. */
export function explainViolation(access: EntityAccess, attempt: Attempt) {
  return async (error: unknown): Promise<never> => {
    const broken = brokenConstraint(error)
    if (broken === undefined && isDataError(error)) {
      const faults = [...raisedFaults(access, error), ...(await unreadableValues(attempt))]
      if (faults.length > 0) throw new Invalid(faults)
    }
    const misfits = misfitFaults(access, attempt.changes, error)
    if (misfits.length > 0) throw new Invalid(misfits)
    if (broken === undefined || isElsewhere(access, broken)) return asFaults(access)(error)
    const faults = listConstraintFaults(access, broken)
    const message = await messageWithValues(access, attempt, broken, faults)
    if (message === null) return asFaults(access)(error)
    throw new Invalid(faults.map((each) => ({ ...each, message })))
  }
}

/**
 * Reads the faults of a trigger that names the column of its complaint: `raise … using column =
 * 'price'`.
 */
function raisedFaults(access: EntityAccess, error: unknown): Fault[] {
  const [text, column] = [raisedMessage(error), raisedColumn(error)]
  return text === null || column === null
    ? []
    : findColumnFields(access, [column]).map(({ definition }) =>
        buildFilterFault(definition.attrName, 'raised', {
          key: 'problem.raised',
          params: { text },
        }),
      )
}

/** Words the refused values; null where it cannot be shown or the plain message says it all. */
async function messageWithValues(
  { entity }: EntityAccess,
  { context, changes }: Attempt,
  { kind, constraint, isHeld }: BrokenConstraint,
  faults: readonly Fault[],
): Promise<Message | null> {
  if (constraint === personIndex) return null
  const fields = faults.flatMap(({ path }) => entity.field(path) ?? [])
  if (fields.some(({ pii, kind: { secret } }) => pii !== null || secret)) return null
  // Columns that keep their value are named by their fields; the values are those that were sent.
  const texts = fields
    .flatMap((field) => changes.filter((change) => change.field === field))
    .map(({ field, value }) => valueText(field.definition, value))
    .filter((text) => text !== '')
  if (texts.length === 0) return null
  const value = texts.map((text) => cutText(text, 60)).join(' + ')
  switch (kind) {
    case 'unique':
      return {
        key: fields.length === 1 ? 'rule.uniqueValue' : 'rule.uniqueValues',
        params: { value },
      }
    case 'check':
      return { key: 'rule.checkValue', params: { value, name: constraint ?? '' } }
    case 'foreignKey': {
      if (isHeld === true) return null
      const target = entity.table.constraints?.get(constraint ?? '')?.target ?? null
      const name = target === null ? null : await nameOfTable(context, target)
      return name === null ? null : { key: 'rule.noTargetIn', params: { value, entity: name } }
    }
    case 'notNull':
      return null
  }
}

/** The name of the entity on a table, for those who may see it. */
async function nameOfTable(
  { registry, subject, locale }: Context,
  table: string,
): Promise<string | null> {
  const found = (await registry.all(subject.tenant)).find(
    (entity) =>
      tableKey(entity) === table && may(subject.permissions, entityPermission(entity.tag, 'view')),
  )
  return found === undefined ? null : entityName(found, locale)
}

/**
 * An error handler that rethrows what the database refused as faults of its fields, and other errors
 * unchanged.
 */
export function asFaults(access: EntityAccess) {
  return (error: unknown): never => {
    const broken = brokenConstraint(error)
    if (broken === undefined) throw isDataError(error) ? toWriteRefusal(access, error) : error
    if (isElsewhere(access, broken)) throw error
    const faults = listConstraintFaults(access, broken)
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

function toWriteRefusal({ entity }: EntityAccess, error: unknown): Refusal {
  const raised = raisedMessage(error)
  if (raised !== null) return new Refusal(422, { key: 'problem.raised', params: { text: raised } })
  return sqlState(error)?.startsWith('22') === true
    ? new Refusal(422, { key: 'problem.computed', params: { entity: entity.definition.name } })
    : new Refusal(422, { key: 'problem.invalid' })
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

function listConstraintFaults(
  access: EntityAccess,
  { kind, constraint, column, table, isHeld, heldColumns = [] }: BrokenConstraint,
): Fault[] {
  const { entity } = access
  const named = (columns: readonly string[], rule: string, message: Message) =>
    findColumnFields(access, columns).map(({ definition }) =>
      buildFilterFault(definition.attrName, rule, message),
    )
  switch (kind) {
    case 'unique': {
      const columns = entity.table.uniques.get(constraint ?? '') ?? []
      if (!entity.typesKey && columns.length === 1 && columns[0] === entity.id.name)
        return [
          buildFilterFault(
            'id',
            'unique',
            entity.id.hasDefault ? behind(entity) : { key: 'rule.unique' },
          ),
        ]
      if (constraint === personIndex) return named(['person_id'], 'unique', personTaken)
      return named(columns, 'unique', { key: 'rule.unique' })
    }
    case 'notNull':
      return named(column === undefined ? [] : [column], 'required', {
        key: 'rule.required',
      }).slice(0, 1)
    case 'foreignKey':
      return isHeld === true
        ? named(heldColumns, 'held', { key: 'rule.held', params: { table: table ?? '' } })
        : named(constraintColumns(access, constraint), 'choice', { key: 'rule.noTarget' })
    case 'check':
      return named(constraintColumns(access, constraint), 'check', {
        key: 'rule.check',
        params: { name: constraint ?? '' },
      })
  }
}

/** The database made a key that exists: its sequence stands below its rows, as after a partial restore. */
function behind({ table, id }: EntityAccess['entity']): Message {
  const name = `${quoteName(table.schema)}.${quoteName(table.name)}`
  const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
  const sequence = `pg_get_serial_sequence(${literal(name)}, ${literal(id.name)})`
  const statement = `select setval(${sequence}, (select max(${quoteName(id.name)}) from ${name}))`
  return { key: 'rule.sequenceBehind', params: { column: id.name, statement } }
}

function constraintColumns({ entity }: EntityAccess, name: string | undefined): readonly string[] {
  return entity.table.constraints?.get(name ?? '')?.columns ?? []
}

function findColumnFields(access: EntityAccess, columns: readonly string[]): LoadedField[] {
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
      await sql`select ${formatTyped(String(stored), chooseCast(column))}::text as v`.execute(db)
    } catch {
      faults.push(
        buildFilterFault(field.definition.attrName, 'value', {
          key: 'rule.typeText',
          params: { type: field.definition.columnType ?? column.type },
        }),
      )
    }
  }
  return faults
}
