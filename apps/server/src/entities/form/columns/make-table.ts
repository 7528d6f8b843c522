// A new empty table in the schema `form`, made in the browser or the terminal, with its entity.
import { formSchema, type PlannedTable } from '@jiaowu/api/entity/definition/sheet'
import type { TableOutcome } from '@jiaowu/api/entity/definition/table-change'
import { t } from '@jiaowu/api/texts/index'
import type { Context } from '../../../model/context.ts'
import { makeForm, previewForm } from '../make-form.ts'
import { describeKind } from './describe-change.ts'

/** @throws Refusal 403, 409; Invalid for a plan that cannot be */
export async function makeEmptyTable(
  context: Context,
  { plan, preview }: { readonly plan: PlannedTable; readonly preview: boolean },
): Promise<TableOutcome> {
  const statements = await previewForm(context, plan)
  const { name, tag, columns } = plan
  const table = `${formSchema}.${plan.table}`
  const words = [t(context.locale, 'made.willMake', { table, name, tag, n: columns.length })]
  for (const column of columns) {
    const kind = await describeKind(context, column)
    words.push(`${column.label} (${column.columnName}): ${kind}`)
  }
  return {
    words,
    statements,
    lost: null,
    change: preview ? null : (await makeForm(context, plan)).change,
  }
}
