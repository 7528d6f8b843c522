// A table in the schema `form` with its entity: the table first, in a transaction of its own, since the checks of
// a definition read the catalog; without a definition the table does not stay.
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import {
  formSchema,
  type PlannedColumn,
  type PlannedTable,
} from '@jiaowu/api/entity/definition/sheet'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { loadDictionaries } from '../../model/definition/dictionary.ts'
import { tableName } from '../../model/definition/names.ts'
import { type Fault, Invalid } from '../../platform/refusal.ts'
import type { Choice } from '../adopt/choices.ts'
import { draftOne } from '../adopt/draft.ts'
import { acceptDefinition } from '../design/check.ts'
import { createDefinitions } from '../design/store.ts'
import { assertMayMake, changeTable, printStatements } from './change-table.ts'
import { resolveTargets } from './relation-targets.ts'
import { buildTable, serverColumnNames } from './table-statements.ts'

/** The statements that would make it. @throws Refusal 403; Invalid for a plan that cannot be */
export async function previewForm(context: Context, plan: PlannedTable): Promise<string> {
  assertMayMake(context)
  await assertPlan(context, plan)
  return printStatements(context, buildTable(plan, await resolveTargets(context, plan.columns)))
}

/** @throws Refusal 403, 409; Invalid for a plan that cannot be */
export async function makeForm(
  context: Context,
  plan: PlannedTable,
): Promise<{ readonly definition: EntityDefinition; readonly change: string }> {
  assertMayMake(context)
  await assertPlan(context, plan)
  const targets = await resolveTargets(context, plan.columns)
  const place = { schema: formSchema, table: plan.table }
  const made = await changeTable(context, {
    ...place,
    kind: 'create',
    plan,
    statements: buildTable(plan, targets),
  })
  try {
    const definition = await defineForm(context, plan)
    await createDefinitions(context, [definition], { note: null, menu: true })
    context.registry.invalidate()
    return { definition, change: made }
  } catch (error) {
    await changeTable(context, {
      ...place,
      kind: 'drop',
      plan: { table: plan.table },
      statements: [sql`drop table ${tableName(formSchema, plan.table)}`],
      undoes: made,
    })
    throw error
  }
}

/** The ordinary draft of the table, with the words and rules of the plan. */
async function defineForm(context: Context, plan: PlannedTable): Promise<EntityDefinition> {
  const { definition } = await draftOne(
    context,
    `${formSchema}.${plan.table}`,
    plan.tag,
    await listChoices(context, plan.columns),
  )
  const planned = new Map(plan.columns.map((column) => [column.columnName, column]))
  const body = {
    ...definition,
    name: plan.name,
    ...(plan.nameEn !== undefined && plan.nameEn !== '' && { nameEn: plan.nameEn }),
    fields: definition.fields.map((field) => {
      const column = planned.get(field.columnName ?? '')
      return column === undefined ? { ...field, isList: 0 as const } : fillField(field, column)
    }),
  }
  return (await acceptDefinition(context, body, null)).definition
}

type Field = EntityDefinition['fields'][number]

/** The field with what its plan says. The comment of a column may read as a list of choices; a heading is none. */
export function fillField(field: Field, column: PlannedColumn): Field {
  const { label, labelEn, dictionary, required } = column
  const { items, ...options } = field.options
  return {
    ...field,
    uiLabel: label,
    ...(dictionary !== undefined && { dictType: dictTypes.dictionary, dictValue: dictionary }),
    valids: { ...field.valids, ...(required === true && { required: true }) },
    options: {
      ...options,
      ...(labelEn !== undefined && labelEn !== '' && { labelEn }),
      ...(dictionary === undefined && items !== undefined && { items }),
    },
  }
}

/** The choices of columns, made or of a dictionary that exists. */
export async function listChoices(
  context: Context,
  columns: readonly PlannedColumn[],
): Promise<ReadonlyMap<string, readonly Choice[]>> {
  const codes = columns.flatMap(({ dictionary }) => dictionary ?? [])
  const known = await loadDictionaries(context, codes)
  return new Map(
    columns.flatMap(({ kind, columnName, dictionary, choices = [] }) =>
      kind !== 'choice'
        ? []
        : [
            [
              columnName,
              dictionary === undefined
                ? choices.map((name) => ({ id: name, name }))
                : (known.get(dictionary) ?? []).map(({ id, name }) => ({ id, name })),
            ] as const,
          ],
    ),
  )
}

/** @throws Invalid with a fault for each column that cannot be, and for names that are taken */
async function assertPlan(context: Context, plan: PlannedTable): Promise<void> {
  const { registry, subject } = context
  const faults: Fault[] = []
  if ((await registry.find(subject.tenant, plan.tag)) !== undefined)
    faults.push({
      path: 'tag',
      rule: 'taken',
      message: { key: 'design.tagTaken', params: { tag: plan.tag } },
    })
  if ((await registry.catalog()).has(`${formSchema}.${plan.table}`))
    faults.push({
      path: 'table',
      rule: 'taken',
      message: { key: 'made.tableTaken', params: { table: `${formSchema}.${plan.table}` } },
    })
  faults.push(...(await listColumnFaults(context, plan.columns)))
  if (faults.length > 0) throw new Invalid(faults)
}

export async function listColumnFaults(
  context: Context,
  columns: readonly PlannedColumn[],
  taken: ReadonlySet<string> = serverColumnNames,
): Promise<Fault[]> {
  const choices = await listChoices(context, columns)
  const seen = new Set(taken)
  return columns.flatMap((column, i): Fault[] => {
    const { columnName, label, kind } = column
    const path = `columns.${i}`
    const faults: Fault[] = []
    if (seen.has(columnName))
      faults.push({
        path: `${path}.columnName`,
        rule: 'taken',
        message: { key: 'made.columnTaken', params: { column: columnName } },
      })
    seen.add(columnName)
    if (kind === 'choice' && (choices.get(columnName) ?? []).length < 1)
      faults.push({
        path: `${path}.choices`,
        rule: 'required',
        message: { key: 'made.noChoices', params: { label } },
      })
    return faults
  })
}
