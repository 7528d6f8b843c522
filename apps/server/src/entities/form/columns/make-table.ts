// A new empty table in the schema `form`, made in the browser or the terminal, with its entity.
import { type AskedTable, formSchema } from '@jiaowu/api/entity/definition/sheet'
import type { TableOutcome } from '@jiaowu/api/entity/definition/table-change'
import { t } from '@jiaowu/api/texts/index'
import type { Context } from '../../../model/context.ts'
import { chooseFreeTable, nameColumns } from '../free-names.ts'
import { makeForm, previewForm } from '../make-form.ts'
import { serverColumnNames } from '../table-statements.ts'
import { describeKind } from './describe-change.ts'

/** @throws Refusal 403, 409; Invalid for a plan that cannot be */
export async function makeEmptyTable(
  context: Context,
  { plan: asked, preview }: { readonly plan: AskedTable; readonly preview: boolean },
): Promise<TableOutcome & { readonly tag: string; readonly table: string }> {
  const free = await chooseFreeTable(context, asked.name)
  const plan = {
    ...asked,
    tag: asked.tag ?? free.tag,
    table: asked.table ?? free.table,
    columns: nameColumns(asked.columns, serverColumnNames),
  }
  const statements = await previewForm(context, plan)
  const { name, tag, columns } = plan
  const table = `${formSchema}.${plan.table}`
  const words = [t(context.locale, 'made.willMake', { table, name, tag, n: columns.length })]
  for (const column of columns) {
    const kind = await describeKind(context, column)
    words.push(`${column.label} (${column.columnName}): ${kind}`)
  }
  return {
    tag,
    table,
    words,
    statements,
    lost: null,
    change: preview ? null : (await makeForm(context, plan)).change,
  }
}
