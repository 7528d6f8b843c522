// The columns that the roles of the user who runs a custom SQL hide: the statement does not see them
// (docs/rules/security.md#designers).
import { narrowedFlags } from '@jiaowu/api'
import { lookupAccess } from '../../access/lookup-access.ts'
import type { Context } from '../../context.ts'
import type { CatalogTable } from '../definition/catalog.ts'
import { tableKey } from '../definition/column-key.ts'

/** `schema.table.column` of every column that all of the caller's roles on its table hide. */
export async function hiddenFromReader(
  context: Context,
  tables: readonly CatalogTable[],
): Promise<ReadonlySet<string>> {
  const hidden = new Set<string>()
  if (tables.length === 0) return hidden
  const entities = await context.registry.all(context.subject.tenant)
  for (const table of tables) {
    const entity = entities.find((each) => tableKey(each) === tableKey({ table }))
    if (entity === undefined) continue
    const { grants } = await lookupAccess(context, entity)
    for (const column of table.columns.keys())
      if (
        grants.every(({ overrides }) =>
          narrowedFlags.every((flag) => overrides[column]?.[flag] === 0),
        )
      )
        hidden.add(`${tableKey({ table })}.${column}`)
  }
  return hidden
}
