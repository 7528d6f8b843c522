// The context of definition checks on the server: existing tables, entities and dictionaries, and
// the rules for custom SQL.
import { type EntityDefinition, t } from '@jiaowu/api'
import { type DesignContext, type KnownColumn } from '@jiaowu/validation'
import type { Context } from '../../context.ts'
import { dictionariesOf } from '../definition/dictionary.ts'
import type { AnyDatabase } from '../read/rows.ts'
import { sqlTexts, switchedOff } from '../custom-sql/cuts.ts'
import { isSecretColumn } from '../../platform/database/secret-columns.ts'
import { refusalOfSql } from '../custom-sql/run.ts'
import { authorRights } from './author-rights.ts'
import { isSqlPlaceholder } from './hidden-sql.ts'
import { readColumns } from './tables.ts'

/**
 * Reads what the checks of one definition need: its table and the entities and dictionaries it
 * names.
 */
export async function checkContextFor(
  context: Context,
  definition: EntityDefinition,
  before: EntityDefinition | null,
): Promise<DesignContext> {
  const own = `${definition.schemaName}.${definition.tableName}`
  const columns = (
    await readColumns(
      context.database.kysely as unknown as AnyDatabase,
      definition.schemaName,
      definition.tableName,
    )
  ).map((column): KnownColumn => ({
    name: column.columnName,
    type: column.dataType,
    length: column.dataLength,
    nullable: column.isNullable === 'YES',
    hasDefault: column.hasDefault,
    isPrimary: column.columnKey === 'PRI',
    isKey: column.isKey,
  }))
  const codes = [
    ...new Set(
      definition.fields.flatMap(({ dictType, dictValue }) =>
        dictType === 0 && dictValue !== null ? [dictValue] : [],
      ),
    ),
  ]
  const dictionaries = await dictionariesOf(context, codes)
  const known = new Set(
    (
      await context.database.kysely
        .selectFrom('sys.dict')
        .select('code')
        .where('tenant_id', 'in', ['0', context.subject.tenant])
        .where('deleted_at', 'is', null)
        .where('code', 'in', codes.length === 0 ? [''] : codes)
        .execute()
    ).map(({ code }) => code),
  )
  const refusal = refusalOfSql(
    context,
    await context.registry.catalog(),
    definition.fields.map(({ attrName }) => attrName),
  )
  const off = await switchedOff(context, sqlTexts(definition))
  const entities = new Map(
    (await context.registry.all(context.subject.tenant)).map((entity) => [entity.tag, entity]),
  )
  return {
    columnsOf: (table) => (table === own && columns.length > 0 ? columns : undefined),
    entityOf: (tag) => {
      const found = entities.get(tag)
      return found === undefined
        ? undefined
        : { tag, parentField: found.definition.parentField, fields: found.definition.fields }
    },
    dictionary: (code) =>
      known.has(code) ? (dictionaries.get(code) ?? []).map(({ id }) => id) : undefined,
    isSqlOff: (source) => off.has(source),
    refusalOfSql: (source) =>
      isSqlPlaceholder(source) ? t(context.locale, 'sql.hidden') : refusal(source),
    isSecret: isSecretColumn,
    before,
    missingRight: await authorRights(context, definition),
  }
}
