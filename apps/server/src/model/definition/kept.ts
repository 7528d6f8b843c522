// Deletion and stamps of rows: in the columns of the product's own tables, or in those that a
// definition names for a table from elsewhere (`options.kept`).
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { keptNames } from '@jiaowu/api/entity/definition/kept-fields'
import { type RawBuilder, sql } from 'kysely'
import type { Subject } from '../../platform/context.ts'
import { chooseCast, type Column, familyOf } from '../fields/column.ts'
import type { LoadedEntity, LoadedField } from './loaded.ts'
import { columnRef, type Condition, identifier, formatTyped } from './names.ts'

/** How rows go to the recycle bin and come back. */
export interface Bin {
  readonly kept: Condition
  readonly deleted: Condition
  /** Assignments of an update. */
  readonly remove: RawBuilder<unknown>
  readonly restore: RawBuilder<unknown>
  /** The time of the deletion; null where the table does not keep it. */
  readonly time: RawBuilder<unknown> | null
}

/** Null for tables whose rows are deleted for good. */
export function findBin(entity: LoadedEntity): Bin | null {
  if (entity.has('deleted_at')) return timedBin('deleted_at')
  const { deleted } = entity.definition.options.kept ?? {}
  const column = deleted === undefined ? undefined : entity.column(deleted.attrName)
  if (deleted === undefined || column === undefined) return null
  if (deleted.yes === null) return timedBin(column.name)
  const ref = columnRef(column.name)
  const yes = formatTyped(deleted.yes, chooseCast(column))
  const assigned = (value: RawBuilder<unknown>) => sql`${identifier(column.name)} = ${value}`
  const { updateTime } = entity.definition.options.kept ?? {}
  const changed = updateTime === undefined ? undefined : entity.column(updateTime)
  return {
    kept: sql`${ref} is distinct from ${yes}`,
    deleted: sql`${ref} = ${yes}`,
    remove: assigned(yes),
    restore: assigned(formatTyped(deleted.no, chooseCast(column))),
    time: changed === undefined ? null : columnRef(changed.name),
  }
}

function timedBin(name: string): Bin {
  return {
    kept: sql`${columnRef(name)} is null`,
    deleted: sql`${columnRef(name)} is not null`,
    remove: sql`${identifier(name)} = now()`,
    restore: sql`${identifier(name)} = null`,
    time: columnRef(name),
  }
}

/** The user whom the stamps name: by the account in a text, else by the id. */
export type Writer = Pick<Subject, 'userId' | 'account'>

interface StampedCell {
  readonly column: Column
  readonly value: RawBuilder<unknown>
}

/** The cells that `options.kept` asks for at a write. */
export function keptCells(
  { definition: { options }, column }: LoadedEntity,
  { userId, account }: Writer,
  kind: 'insert' | 'update',
): StampedCell[] {
  const { deleted, createUser, createTime, updateUser, updateTime } = options.kept ?? {}
  const cell = (name: string | undefined, value: (of: Column) => RawBuilder<unknown>) => {
    const found = name === undefined ? undefined : column(name)
    return found === undefined ? [] : [{ column: found, value: value(found) }]
  }
  const user = (of: Column) =>
    formatTyped(familyOf(of) === 'text' ? account : userId, chooseCast(of))
  const time = () => sql`now()`
  return [
    ...(kind === 'insert'
      ? [
          ...cell(createUser, user),
          ...cell(createTime, time),
          ...(deleted === undefined || deleted.yes === null
            ? []
            : cell(deleted.attrName, (of) => formatTyped(deleted.no, chooseCast(of)))),
        ]
      : []),
    ...cell(updateUser, user),
    ...cell(updateTime, time),
  ]
}

/** Whether every kept field still has its column: else rows thought deleted would come back. */
export function keepsItsColumns(
  { options: { kept } }: EntityDefinition,
  fields: readonly LoadedField[],
): boolean {
  return keptNames(kept ?? {}).every((name) =>
    fields.some(({ definition, column }) => definition.attrName === name && column !== null),
  )
}
