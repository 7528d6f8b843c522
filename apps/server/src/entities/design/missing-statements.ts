// The statements for the indexes that the searches and the order of a definition lack, each with a
// comment on what it gains.
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { toQueryOperator } from '@jiaowu/api/entity/enums'
import { t } from '@jiaowu/api/texts/index'
import type { Context } from '../../model/context.ts'
import type { CatalogTable } from '../../model/definition/catalog.ts'
import { loadEntity } from '../../model/definition/load-entity.ts'
import { missingIndexes } from '../indexes/missing-index.ts'
import type { IndexUse } from '../indexes/propose-index.ts'
import { type Gain, sampleGains, type WantedIndex } from '../indexes/sample-gains.ts'
import { databaseOf } from '../../platform/database/any-database.ts'

/** Answers the statement by column and operator, or `order`; null where nothing is missing. */
export async function missingStatements(
  context: Context,
  definition: EntityDefinition,
  table: CatalogTable,
): Promise<(columnName: string, use: string) => string | null> {
  const missing = await missingIndexes(databaseOf(context), table)
  const gains = await measureGains(context, definition, table, missing)
  return (columnName, use) => {
    const index = missing(columnName, use)
    if (index === null) return null
    const gain = gains.get(index.statement)
    return gain === undefined
      ? index.statement
      : `${index.statement} -- ${t(context.locale, 'entity.indexGain', formatGain(gain))}`
  }
}

async function measureGains(
  context: Context,
  definition: EntityDefinition,
  table: CatalogTable,
  missing: Awaited<ReturnType<typeof missingIndexes>>,
): Promise<ReadonlyMap<string, Gain>> {
  const [first] = definition.options.sorts
  const lacked = definition.fields.flatMap((field) => {
    const uses: IndexUse[] = []
    if (field.isQuery === 1) uses.push(toQueryOperator(field.queryType))
    if (field.attrName === first?.column) uses.push('order')
    return uses.flatMap((use) => {
      const index = field.columnName === null ? null : missing(field.columnName, use)
      return index === null ? [] : [{ attrName: field.attrName, use, index }]
    })
  })
  if (lacked.length === 0) return new Map()
  const entity = loadEntity(definition, 'checked', table, () => {})
  if (typeof entity === 'string') return new Map()
  const wanted = lacked.flatMap(({ attrName, use, index }): WantedIndex[] => {
    const field = entity.field(attrName)
    return field === undefined || field.column === null ? [] : [{ field, use, index }]
  })
  return await sampleGains(context, entity, context.subject.tenant, wanted)
}

function formatGain({ rows, before, after }: Gain) {
  return { rows: String(rows), before: before.toFixed(0), after: after.toFixed(0) }
}
