// The cells of rows as their columns store them, and those that the server fills.
import { type RawBuilder, sql } from 'kysely'
import type { Subject } from '../../../platform/context.ts'
import { isHashed } from '../../../model/definition/account-password.ts'
import { keptCells } from '../../../model/definition/kept.ts'
import type { LoadedEntity, SystemColumn } from '../../../model/definition/loaded.ts'
import { formatTyped } from '../../../model/definition/names.ts'
import { chooseCast, type Column, familyOf } from '../../../model/fields/column.ts'
import { toInstant } from '../../../model/fields/school-time.ts'
import { sealedCells } from '../../../model/sealed/sealed-cells.ts'
import type { Change } from '../values/values.ts'

/** Stored values by column. */
export type Cells = ReadonlyMap<Column, unknown>

export interface Cell {
  readonly column: Column
  readonly value: RawBuilder<unknown>
}

export function buildCells(entity: LoadedEntity, changes: readonly Change[]): Map<Column, unknown> {
  return new Map(
    changes.flatMap(({ field, value }): (readonly [Column, unknown])[] => {
      const { column } = field
      if (column === null) return []
      const sealed = sealedCells(entity, field, value)
      if (sealed !== null) return sealed.map((cell) => [cell.column, cell.text] as const)
      // The value is the hash already.
      if (isHashed(entity, field)) return [[column, value === '' ? null : value]]
      return [[column, field.storage.store(value, column) ?? null]]
    }),
  )
}

/** Emptying a not-null column resets it to its default. */
export function isEmptied(column: Column, stored: unknown): boolean {
  return stored === null && !column.nullable && column.hasDefault
}

/** As a parameter of its own. */
export function bound(column: Column, stored: unknown): RawBuilder<unknown> {
  const family = familyOf(column)
  if (family === 'instant') return toInstant(formatTyped(stored, 'timestamp'))
  return formatTyped(stored, chooseCast(column))
}

/** As an item of an array of texts, which the database casts. */
export function toCastText(stored: unknown): string | null {
  if (stored === null || stored === undefined) return null
  return Array.isArray(stored) ? arrayLiteral(stored) : String(stored)
}

function arrayLiteral(items: readonly unknown[]): string {
  return `{${items.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** The writer of the row and the time, in the table's system columns and those that `options.kept` names. */
export function stampCells(
  entity: LoadedEntity,
  subject: Pick<Subject, 'userId' | 'account' | 'tenant'>,
  kind: 'insert' | 'update',
): Cell[] {
  const { tenant, userId } = subject
  const stamps: Readonly<Partial<Record<SystemColumn, RawBuilder<unknown> | string>>> =
    kind === 'insert'
      ? {
          tenant_id: tenant,
          create_user: userId,
          update_user: userId,
          create_time: sql`now()`,
          update_time: sql`now()`,
        }
      : { update_user: userId, update_time: sql`now()`, version: sql`t.version + 1` }
  const cells = Object.entries(stamps).flatMap(([name, value]) => {
    const column = systemColumn(entity, name as SystemColumn)
    if (column === undefined) return []
    return [
      { column, value: typeof value === 'string' ? formatTyped(value, chooseCast(column)) : value },
    ]
  })
  return lastPerColumn([...cells, ...keptCells(entity, subject, kind)])
}

/** The organisation of who adds a row, which a form may give another one. */
export function orgCells(entity: LoadedEntity, { org }: Pick<Subject, 'org'>): Cell[] {
  const column = systemColumn(entity, 'org_id')
  return column === undefined
    ? []
    : [{ column, value: formatTyped(org === null ? null : org.id, chooseCast(column)) }]
}

function systemColumn(entity: LoadedEntity, name: SystemColumn): Column | undefined {
  return entity.has(name) ? entity.table.columns.get(name) : undefined
}

export function lastPerColumn(cells: readonly Cell[]): Cell[] {
  return [...new Map(cells.map((cell) => [cell.column.name, cell])).values()]
}
