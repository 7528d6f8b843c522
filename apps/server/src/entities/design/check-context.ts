// The context of definition checks on the server: existing tables, entities and dictionaries, and
// the rules for custom SQL.
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { isDerived } from '@jiaowu/api/entity/config'
import { systemColumns } from '@jiaowu/api/entity/enums'
import { t } from '@jiaowu/api/texts/index'
import { type DesignContext, formulaByColumns, type KnownColumn } from '@jiaowu/validation'
import type { Context } from '../../model/context.ts'
import { indexColumns } from '../../model/sealed/sealed-columns.ts'
import type { CatalogTable } from '../../model/definition/catalog.ts'
import { loadDictionaries } from '../../model/definition/dictionary.ts'
import { isOwnColumn } from '../../model/definition/school-columns.ts'
import { withinSchool } from '../../model/definition/school-tables.ts'
import { sqlTexts, switchedOff } from '../custom-sql/cuts.ts'
import { isSecretColumn } from '../../platform/database/tables/secret-columns.ts'
import { refusalOfSql } from '../custom-sql/run.ts'
import { viewRefusals } from './view-refusals.ts'
import { missingStatements } from './missing-statements.ts'
import { authorRights } from './author-rights.ts'
import { buildFlowProver } from '../flow/facts.ts'
import { broughtItems, existingCodes } from './dictionaries.ts'
import { isSqlPlaceholder } from './hidden-sql.ts'

/**
 * Reads what the checks of one definition need: its table and the entities and dictionaries it
 * names.
 */
export async function checkContextFor(
  context: Context,
  definition: EntityDefinition,
  before: EntityDefinition | null,
  pending: readonly EntityDefinition[] = [],
): Promise<DesignContext> {
  const own = `${definition.schemaName}.${definition.tableName}`
  // Definitions of one step are checked against one reading of the tables.
  const catalog = await context.registry.catalog(pending.length === 0 ? 0 : undefined)
  const found = catalog.get(own)
  const isOfSchools = definition.options.systemColumns?.includes('tenant_id') === true
  const table = found !== undefined && isOfSchools ? withinSchool(found) : found
  const columns = table === undefined ? [] : knownColumns(table, definition)
  const codes = listDictionaryCodes(definition)
  const dictionaries = await loadDictionaries(context, codes)
  const brought = broughtItems([definition, ...pending])
  const pendingByTag = new Map(pending.map((each) => [each.tag, each]))
  const known = await existingCodes(context.database.kysely, context.subject.tenant, codes)
  const missing =
    table === undefined || pending.length > 0
      ? null
      : await missingStatements(context, definition, table)
  const refusal = refusalOfSql(
    context,
    catalog,
    definition.fields.map(({ attrName }) => attrName),
  )
  const views = await viewRefusals(context)
  const off = await switchedOff(context, sqlTexts(definition))
  const entities = new Map(
    (await context.registry.all(context.subject.tenant)).map((entity) => [entity.tag, entity]),
  )
  const itemsOf = (code: string) =>
    known.has(code)
      ? (dictionaries.get(code) ?? []).map(({ id }) => id)
      : brought.get(code)?.options.items?.map(({ id }) => id)
  const prover = await buildFlowProver(context, definition, {
    itemsOf,
    before,
    fieldsOf: (tag) => (pendingByTag.get(tag) ?? entities.get(tag)?.definition)?.fields,
  })
  return {
    columnsOf: (table) => (table === own && columns.length > 0 ? columns : undefined),
    entityOf: (tag) => {
      const other = pendingByTag.get(tag)
      if (other !== undefined) return { tag, parentField: other.parentField, fields: other.fields }
      const found = entities.get(tag)
      return found === undefined
        ? undefined
        : {
            tag,
            parentField: found.definition.parentField,
            fields: found.fields.map((field) => ({ ...field.definition, pii: field.pii })),
          }
    },
    dictionary: itemsOf,
    isSqlOff: (source) => off.has(source),
    missingIndex: missing,
    formulasElsewhere: formulasElsewhere(definition, [
      ...pending,
      ...[...entities.values()]
        .filter(({ tag }) => !pendingByTag.has(tag))
        .map((entity) => entity.definition),
    ]),
    refusalOfSql: (source) =>
      isSqlPlaceholder(source) ? t(context.locale, 'sql.hidden') : refusal(source),
    isSecret: isSecretColumn,
    refusedColumn: views.refusedColumn,
    refusedRows: views.refusedRows,
    isPersonal: (name, column) =>
      [...entities.values()].some(
        (entity) =>
          `${entity.table.schema}.${entity.table.name}` === name &&
          entity.fields.some((field) => field.column?.name === column && field.pii !== null),
      ),
    flowFindings: prover,
    before,
    missingRight: await authorRights(context, definition, pending),
  }
}

function listDictionaryCodes({ fields }: EntityDefinition): string[] {
  return [
    ...new Set(
      fields.flatMap(({ dictType, dictValue }) =>
        dictType === 0 && dictValue !== null ? [dictValue] : [],
      ),
    ),
  ]
}

/** The formulas by which the other definitions over the same table compute a column. */
function formulasElsewhere(
  { tag: own, schemaName, tableName }: EntityDefinition,
  definitions: readonly EntityDefinition[],
): DesignContext['formulasElsewhere'] {
  const others = definitions.filter(
    (each) => each.tag !== own && each.schemaName === schemaName && each.tableName === tableName,
  )
  return (columnName) =>
    others.flatMap(({ tag, fields }) =>
      fields
        .filter((field) => field.columnName === columnName && isDerived(field))
        .map((field) => ({ tag, formula: formulaByColumns(field, fields) })),
    )
}

function knownColumns(
  table: CatalogTable,
  { options }: Pick<EntityDefinition, 'options'>,
): KnownColumn[] {
  const [primary = []] = table.keySets ?? []
  return [...table.columns.values()]
    .filter(({ name }) => !indexColumns.has(`${table.schema}.${table.name}.${name}`))
    .map((column) => ({
      name: column.name,
      type: column.type,
      length: column.length,
      nullable: column.nullable,
      hasDefault: column.hasDefault,
      isPrimary: primary.includes(column.name),
      isKey: table.keys.has(column.name),
      isServers:
        column.generated ||
        systemColumns.some(
          (name) =>
            name === column.name &&
            (options.systemColumns?.includes(name) === true ||
              isOwnColumn(table.schema, name, column)),
        ),
    }))
}
