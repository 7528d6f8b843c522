// Definitions travel between installations, their columns do not: what a definition names and the database lacks
// is made here, so that the definition can be saved.
import { cutText } from '@jiaowu/api/cut-text'
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { dictTypes } from '@jiaowu/api/entity/enums'
import { formSchema, type PlannedColumn } from '@jiaowu/api/entity/definition/sheet'
import type { TableOutcome } from '@jiaowu/api/entity/definition/table-change'
import { holdsValue } from '@jiaowu/api/fields/kinds'
import { t } from '@jiaowu/api/texts/index'
import { parseEntity } from '@jiaowu/validation'
import type { Context } from '../../../model/context.ts'
import { type Fault, Invalid } from '../../../platform/refusal.ts'
import { definitionIn } from '../../design/check.ts'
import { assertMayMake, changeTable, printStatements, type TableChange } from '../change-table.ts'
import { listTargets, resolveTargets } from '../relation-targets.ts'
import { buildTable, serverColumnNames } from '../table-statements.ts'
import { planAddition } from './add-columns.ts'
import { describeLock } from './describe-change.ts'
import { requireOwnedTable } from './owned-table.ts'

export interface Supplied extends TableOutcome {
  readonly table: string
  readonly isNew: boolean
  /** Empty where nothing is missing. */
  readonly columns: string[]
}

/** @throws Refusal, Invalid; then nothing has changed */
export async function supplyColumns(
  context: Context,
  {
    definition: body,
    preview,
  }: { readonly definition: Record<string, unknown>; readonly preview: boolean },
): Promise<Supplied> {
  assertMayMake(context)
  const { definition, findings } = parseEntity(definitionIn(body))
  if (definition === null)
    throw new Invalid(findings.map(({ id, path, message }) => ({ path, rule: id, message })))
  const { schemaName, tableName } = definition
  const table = `${schemaName}.${tableName}`
  const known = (await context.registry.catalog(0)).get(table)
  const missing = definition.fields.filter(
    ({ columnName, uiType }) =>
      columnName !== null &&
      holdsValue(uiType) &&
      !(known === undefined ? serverColumnNames : known.columns).has(columnName),
  )
  const none = { table, isNew: false, columns: [], words: [], statements: '', lost: null }
  if (missing.length === 0 && known !== undefined) return { ...none, change: null }
  if (known === undefined && schemaName !== formSchema)
    throw new Invalid([
      { path: 'tableName', rule: 'table', message: { key: 'made.noTable', params: { table } } },
    ])
  const columns = await planColumns(context, missing)
  const change = await planSupply(context, definition, columns, known === undefined)
  const names = columns.map(({ columnName }) => columnName)
  return {
    table,
    isNew: known === undefined,
    columns: names,
    words: [
      known === undefined
        ? t(context.locale, 'made.willMake', {
            table,
            name: definition.name,
            tag: definition.tag,
            n: names.length,
          })
        : t(context.locale, 'made.willSupply', {
            table,
            n: names.length,
            columns: columns.map(({ columnName, label }) => `${label} ${columnName}`).join('、'),
          }),
      describeLock(context, table),
    ],
    statements: printStatements(context, change.statements),
    lost: null,
    change: preview ? null : await changeTable(context, change),
  }
}

async function planSupply(
  context: Context,
  definition: EntityDefinition,
  columns: readonly PlannedColumn[],
  isNew: boolean,
): Promise<TableChange> {
  const { name, tag, tableName: table, schemaName: schema } = definition
  if (!isNew)
    return await planAddition(context, await requireOwnedTable(context, definition), columns)
  const plan = { name, tag, table, columns: [...columns] }
  const statements = buildTable(plan, await resolveTargets(context, columns))
  return { schema, table, kind: 'create', plan, statements }
}

/** @throws Invalid for columns of types that the product does not make */
async function planColumns(
  context: Context,
  fields: readonly FieldDefinition[],
): Promise<PlannedColumn[]> {
  const tags = new Set((await listTargets(context)).map(({ tag }) => tag))
  const faults: Fault[] = []
  const columns = fields.flatMap((field): PlannedColumn[] => {
    const column = planColumn(field, tags)
    if (column === null)
      faults.push({
        path: `fields.${field.attrName}.columnType`,
        rule: 'type',
        message: {
          key: 'made.noType',
          params: { column: field.columnName ?? '', type: field.columnType ?? '' },
        },
      })
    return column === null ? [] : [column]
  })
  if (faults.length > 0) throw new Invalid(faults)
  return columns
}

const columnPattern = /^[a-z][a-z0-9_]{0,54}$/

/** The column as the other installation made it; null for a name or type that this one does not make. */
function planColumn(field: FieldDefinition, tags: ReadonlySet<string>): PlannedColumn | null {
  const { columnName, uiLabel, dictType, dictValue, options } = field
  const size = readType(field.columnType ?? '')
  if (columnName === null || !columnPattern.test(columnName) || size === null) return null
  const target = (dictValue ?? '').split('.')[0] ?? ''
  const isRelation =
    dictType === dictTypes.entity && options.valueAttr === undefined && tags.has(target)
  const label = uiLabel.trim() === '' ? columnName : cutText(uiLabel.trim(), 60)
  return { columnName, label, ...(isRelation ? { kind: 'relation', target } : size) }
}

/** `varchar(64)`, `numeric(18,2)`, as definitions name types. */
function readType(type: string): Pick<PlannedColumn, 'kind' | 'length' | 'scale'> | null {
  const [, name = '', first, second] =
    /^([a-z0-9 ]+?)\s*(?:\((\d+)(?:,\s*(\d+))?\))?$/.exec(type.trim().toLowerCase()) ?? []
  switch (name) {
    case 'varchar':
    case 'character varying':
      return { kind: 'text', length: Math.min(4_000, Number(first ?? 200)) }
    case 'text':
      return { kind: 'long' }
    case 'bigint':
    case 'int8':
    case 'integer':
    case 'int4':
      return { kind: 'integer' }
    case 'numeric':
      return { kind: 'decimal', scale: Math.min(6, Number(second ?? 2)) }
    case 'date':
      return { kind: 'date' }
    case 'timestamp':
      return { kind: 'datetime' }
    case 'boolean':
    case 'bool':
      return { kind: 'flag' }
    default:
      return null
  }
}
