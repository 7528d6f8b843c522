import { type RawBuilder, sql } from 'kysely'
import type { LoadedEntity } from './loaded.ts'
import { identifier, rowAlias, tableName } from './names.ts'

export function fromTable(entity: LoadedEntity): RawBuilder<unknown> {
  return sql`${tableName(entity.table.schema, entity.table.name)} as ${identifier(rowAlias)}`
}
