// New columns of a table that the product owns, with their fields in the definition of the school.
import { defaultTypes } from '@jiaowu/api/entity/enums'
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import {
  type AskedColumn,
  formSchema,
  type PlannedColumn,
} from '@jiaowu/api/entity/definition/sheet'
import type { StoredEntity } from '@jiaowu/api/entity/definition/stored'
import { t } from '@jiaowu/api/texts/index'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import { identifier, tableName } from '../../../model/definition/names.ts'
import { type Fault, Invalid } from '../../../platform/refusal.ts'
import { draftOne } from '../../adopt/draft.ts'
import type { TableChange } from '../change-table.ts'
import { nameColumns } from '../free-names.ts'
import { fillField, listChoices, listColumnFaults } from '../make-form.ts'
import { resolveTargets } from '../relation-targets.ts'
import { addColumns, serverColumnNames } from '../table-statements.ts'
import type { OwnedTable, Place } from './owned-table.ts'
import { changeWithFields } from './replace-fields.ts'

/** Gives columns without a name that of their label, after the prefix of shipped tables. */
export function nameAsked(
  { known, prefix }: Pick<OwnedTable, 'known' | 'prefix'>,
  asked: readonly AskedColumn[],
): PlannedColumn[] {
  return nameColumns(asked, listTaken({ known }), prefix)
}

function listTaken({ known }: Pick<OwnedTable, 'known'>): ReadonlySet<string> {
  return new Set([...serverColumnNames, ...(known?.columns.keys() ?? [])])
}

/** The change of the table, checked. @throws Invalid for columns that cannot be */
export async function planAddition(
  context: Context,
  { schema, table, prefix, known }: OwnedTable,
  asked: readonly PlannedColumn[],
): Promise<TableChange> {
  const taken = listTaken({ known })
  const faults = [
    ...asked.flatMap(({ columnName }, i): Fault[] =>
      columnName.startsWith(prefix)
        ? []
        : [
            {
              path: `columns.${i}.columnName`,
              rule: 'prefix',
              message: { key: 'made.prefix', params: { prefix } },
            },
          ],
    ),
    ...(await listColumnFaults(context, asked, taken)),
  ]
  if (faults.length > 0) throw new Invalid(faults)
  const targets = await resolveTargets(context, asked)
  const [only, ...more] = asked
  return {
    schema,
    table,
    kind: 'add',
    ...(more.length === 0 && only !== undefined && { column: only.columnName }),
    plan: { columns: asked },
    statements: addColumns({ schema, table }, asked.map(keepDefault(schema)), targets),
  }
}

/** The default of a column in a table of all schools is that of the form alone: rows of others stay as they are. */
const keepDefault = (schema: string) => (column: PlannedColumn) =>
  schema === formSchema ? column : { ...column, defaultValue: undefined }

export function dropColumns(
  { schema, table }: Place,
  columns: readonly string[],
): readonly RawBuilder<unknown>[] {
  const name = tableName(schema, table)
  return columns.map((column) => sql`alter table ${name} drop column ${identifier(column)}`)
}

/** @throws Refusal, Invalid; then nothing has changed */
export async function addWithFields(
  context: Context,
  before: StoredEntity,
  change: TableChange,
  asked: readonly PlannedColumn[],
): Promise<string> {
  const names = asked.map(({ columnName }) => columnName)
  return await changeWithFields(context, before, {
    change,
    back: { kind: 'drop', statements: dropColumns(change, names) },
    fields: async () => [...before.fields, ...(await defineColumns(context, before, asked))],
    note: t(context.locale, 'made.noteAdd', {
      names: asked.map(({ label }) => label).join('、'),
    }),
  })
}

/** The ordinary draft of the new columns, with the words of the plan, at the end of the form. */
async function defineColumns(
  context: Context,
  { schemaName, tableName: table, tag, fields }: StoredEntity,
  asked: readonly PlannedColumn[],
): Promise<FieldDefinition[]> {
  const choices = await listChoices(context, asked)
  const { definition } = await draftOne(context, `${schemaName}.${table}`, tag, choices)
  const attributes = new Set(fields.map(({ attrName }) => attrName.toLowerCase()))
  const last = Math.max(0, ...fields.map(({ uiSort }) => uiSort))
  return asked.flatMap((column, i) => {
    const drafted = definition.fields.find(({ columnName }) => columnName === column.columnName)
    if (drafted === undefined) return []
    const attrName = chooseFreeName(drafted.attrName, attributes)
    const field = fillField({ ...drafted, isList: 1 }, column)
    return [
      {
        ...field,
        ...chooseDefault(field, column),
        attrName,
        id: `-${i + 1}`,
        uiSort: last + i + 1,
      },
    ]
  })
}

function chooseFreeName(wanted: string, taken: Set<string>): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? wanted : `${wanted}${n}`
    if (taken.has(name.toLowerCase())) continue
    taken.add(name.toLowerCase())
    return name
  }
}

/** The default of the form; the database has one of its own in tables of the school. */
function chooseDefault(
  { uiDefaultType }: FieldDefinition,
  { defaultValue, kind }: PlannedColumn,
): Partial<FieldDefinition> {
  if (defaultValue === undefined || defaultValue === '') return {}
  if (uiDefaultType !== defaultTypes.none || kind === 'relation') return {}
  return { uiDefaultType: defaultTypes.text, defaultValue }
}
