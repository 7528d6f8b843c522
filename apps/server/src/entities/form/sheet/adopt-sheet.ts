// Makes the table of a planned sheet, its definition, and the import that brings the rows in.
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { formSchema, type SheetPlan } from '@jiaowu/api/entity/definition/sheet'
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import type { Context } from '../../../model/context.ts'
import { startImport } from '../../import/start-import.ts'
import { makeForm } from '../make-form.ts'
import { withSheet } from './open-sheet.ts'

export interface AdoptedSheet {
  readonly tag: string
  readonly name: string
  readonly table: string
  /** The import of the rows; null where the author may not add rows to the new entity. */
  readonly jobId: string | null
}

/**
 * The table, its definition and the import of its rows.
 * @throws Refusal 403, 409; Invalid for a plan that cannot be
 */
export async function adoptSheet(
  context: Context,
  file: Blob,
  plan: SheetPlan,
): Promise<AdoptedSheet> {
  const { sheet, heading, ...table } = plan
  // A file that cannot be read makes no table.
  const read = await withSheet(context, file, { sheet, heading }, (opened) =>
    Promise.resolve({
      sheet: opened.sheet,
      heading: opened.heading,
      columns: opened.columns.map(({ column }) => column),
    }),
  )
  const { definition } = await makeForm(context, {
    ...table,
    columns: table.columns.map(({ column: _column, ...planned }) => planned),
  })
  const { tag, name } = definition
  const made = { tag, name, table: `${formSchema}.${plan.table}` }
  if (!may(context.subject.permissions, entityPermission(tag, 'add')))
    return { ...made, jobId: null }
  const entity = await context.registry.get(context.subject.tenant, tag)
  const job = await startImport(context, entity, {
    file,
    mode: 'insert',
    onError: 'abort',
    // The author sees the rows as every import shows them, before they are written.
    pauseAt: 'review',
    mapping: assignColumns(read.columns, plan, definition),
    reading: { ...(read.sheet !== '' && { sheets: [read.sheet] }), heading: read.heading },
  })
  return { ...made, jobId: job.id }
}

/** Assigns each column of the sheet to a field of the plan, or to none. */
function assignColumns(
  columns: readonly number[],
  plan: SheetPlan,
  { fields }: EntityDefinition,
): { readonly column: number; readonly attrName: string | null }[] {
  const planned = new Map(plan.columns.map(({ column, columnName }) => [column, columnName]))
  return columns.map((column) => ({
    column,
    attrName:
      fields.find(({ columnName }) => columnName !== null && columnName === planned.get(column))
        ?.attrName ?? null,
  }))
}
