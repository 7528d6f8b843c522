// The types of columns that the product makes by itself, by their kind.
import type { PlannedColumn } from '@jiaowu/api/entity/definition/sheet'
import { type RawBuilder, sql } from 'kysely'
import { identifier, tableName } from '../../model/definition/names.ts'

/** The rows that the values of a relation name. */
export interface RelationTarget {
  readonly tag: string
  readonly schema: string
  readonly table: string
  /** The one column of its key, and the type of it. */
  readonly column: string
  readonly type: string
  /** The key of the target is one of each school. */
  readonly hasSchool: boolean
}
export type Targets = ReadonlyMap<string, RelationTarget>

/** Characters of the value of a choice. */
export const choiceLength = 60
export const usualLength = 200
export const usualScale = 2

/** `varchar(64)`, `numeric(18, 2)`: built from constants and whole numbers only. */
function buildColumnType(column: PlannedColumn, targets: Targets): RawBuilder<unknown> {
  switch (column.kind) {
    case 'text':
      return sql.raw(`varchar(${column.length ?? usualLength})`)
    case 'long':
      return sql.raw('text')
    case 'integer':
      return sql.raw('bigint')
    case 'decimal':
      return sql.raw(`numeric(18, ${column.scale ?? usualScale})`)
    case 'date':
      return sql.raw('date')
    case 'datetime':
      return sql.raw('timestamp')
    case 'flag':
      return sql.raw('boolean')
    case 'choice':
      return sql.raw(`varchar(${choiceLength})`)
    case 'relation':
      return sql.raw(targets.get(column.target ?? '')?.type ?? 'bigint')
  }
}

/** The column with its type, rules and default, as it stands in `create table` and `add column`. */
export function buildColumn(
  column: PlannedColumn,
  targets: Targets,
  { mayRequire }: { readonly mayRequire: boolean },
): RawBuilder<unknown> {
  const { columnName, required, defaultValue } = column
  const parts = [identifier(columnName), buildColumnType(column, targets)]
  if (defaultValue !== undefined && defaultValue !== '') {
    const type = buildColumnType(column, targets)
    parts.push(sql`default ${sql.lit(readDefault(column, defaultValue))}::${type}`)
  }
  if (mayRequire && required === true) parts.push(sql.raw('not null'))
  return sql.join(parts, sql` `)
}

function readDefault({ kind }: PlannedColumn, value: string): string {
  return kind === 'flag' ? (value === '1' || value === 'true' ? 'true' : 'false') : value
}

/** The foreign key of a relation: with the school, where the target has it in its key. */
export function buildForeignKey(
  { columnName, target }: PlannedColumn,
  targets: Targets,
): RawBuilder<unknown> | null {
  const found = targets.get(target ?? '')
  if (found === undefined) return null
  const [own, theirs] = [identifier(columnName), identifier(found.column)]
  const to = tableName(found.schema, found.table)
  return found.hasSchool
    ? sql`foreign key (tenant_id, ${own}) references ${to} (tenant_id, ${theirs})`
    : sql`foreign key (${own}) references ${to} (${theirs})`
}
