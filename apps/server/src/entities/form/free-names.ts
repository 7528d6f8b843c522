// Names in the database for labels of any alphabet.
import { cutText } from '@jiaowu/api/cut-text'
import {
  type AskedColumn,
  formSchema,
  type PlannedColumn,
} from '@jiaowu/api/entity/definition/sheet'
import type { Context } from '../../model/context.ts'
import { splitWords, tagFor } from '../adopt/names.ts'

/** `学号` → `xue_hao`. `prefix`: names begin with it. */
export function freeName(label: string, taken: Set<string>, prefix = ''): string {
  const words = cutText(splitWords(label).join('_'), 48)
  const base = /^[a-z]/.test(words) || prefix !== '' ? words : `c_${words}`.replace(/_$/, '')
  for (let n = 1; ; n += 1) {
    const name = `${prefix}${n === 1 ? base : `${base}_${n}`}`
    if (taken.has(name)) continue
    taken.add(name)
    return name
  }
}

/** Gives those without a name that of their label. */
export function nameColumns(
  asked: readonly AskedColumn[],
  taken: ReadonlySet<string>,
  prefix = '',
): PlannedColumn[] {
  const used = new Set([...taken, ...asked.flatMap(({ columnName }) => columnName ?? [])])
  return asked.map((column) => ({
    ...column,
    columnName: column.columnName ?? freeName(column.label, used, prefix),
  }))
}

export async function chooseFreeTable(
  { registry, subject }: Context,
  name: string,
): Promise<{ readonly tag: string; readonly table: string }> {
  const tables = await registry.catalog()
  const taken = new Set<string>()
  for (const { schema, name: table } of tables.values()) if (schema === formSchema) taken.add(table)
  const table = freeName(cutText(name, 16), taken)
  const tags = new Set((await registry.all(subject.tenant)).map(({ tag }) => tag.toLowerCase()))
  return { table, tag: tagFor(formSchema, table, (tag) => tags.has(tag.toLowerCase())) }
}
