// A change in sentences, as its author reads it before and after.
import { formSchema, type PlannedColumn } from '@jiaowu/api/entity/definition/sheet'
import type { StoredEntity } from '@jiaowu/api/entity/definition/stored'
import { t } from '@jiaowu/api/texts/index'
import { sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import { entityName } from '../../../model/definition/loaded.ts'
import { tableName } from '../../../model/definition/names.ts'
import { usualLength, usualScale } from '../column-type.ts'
import { lockSeconds } from '../change-table.ts'
import type { OwnedTable, Place } from './owned-table.ts'
import { countOtherSchools } from './stored-changes.ts'

/** `文本，最多 40 个字`. */
export async function describeKind(context: Context, column: PlannedColumn): Promise<string> {
  const { locale, registry, subject } = context
  const { kind, length, scale, dictionary, choices = [], target } = column
  const name = t(locale, `columnKind.${kind}`)
  switch (kind) {
    case 'text':
      return t(locale, 'made.kind.text', { name, n: length ?? usualLength })
    case 'decimal':
      return t(locale, 'made.kind.decimal', { name, n: scale ?? usualScale })
    case 'choice':
      return dictionary === undefined
        ? t(locale, 'made.kind.choices', { name, values: choices.slice(0, 10).join('、') })
        : t(locale, 'made.kind.dictionary', { name, code: dictionary })
    case 'relation': {
      const entity = await registry.find(subject.tenant, target ?? '')
      const to = entity === undefined ? (target ?? '') : entityName(entity, locale)
      return t(locale, 'made.kind.relation', { name, to })
    }
    default:
      return name
  }
}

export async function describeAddition(
  context: Context,
  owned: OwnedTable,
  { name }: Pick<StoredEntity, 'name'>,
  columns: readonly PlannedColumn[],
): Promise<string[]> {
  const { locale } = context
  const table = `${owned.schema}.${owned.table}`
  const rows = await countRows(context, owned)
  const words: string[] = []
  for (const column of columns) {
    const { label, columnName, defaultValue = '', required, unique } = column
    const kind = await describeKind(context, column)
    words.push(t(locale, 'made.willAdd', { table, column: columnName, label, kind }))
    if (rows > 0)
      words.push(
        defaultValue === '' || owned.schema !== formSchema
          ? t(locale, 'made.willBeEmpty', { n: rows, label })
          : t(locale, 'made.willBeDefault', { n: rows, label, value: defaultValue }),
      )
    if (required === true) words.push(t(locale, 'made.willRequire', { label }))
    if (unique === true) words.push(t(locale, 'made.willBeUnique', { label }))
  }
  return [...words, ...(await describeSchools(context, owned, name)), describeLock(context, table)]
}

/** Says whose list changes: the definition is that of one school, the table that of all. */
export async function describeSchools(
  context: Context,
  owned: OwnedTable,
  name: string,
): Promise<string[]> {
  const table = `${owned.schema}.${owned.table}`
  const isShared = owned.schema !== formSchema || (await countOtherSchools(context, owned)) > 0
  return isShared ? [t(context.locale, 'made.onlyHere', { table, name })] : []
}

export function describeLock({ locale }: Context, table: string): string {
  return t(locale, 'made.willLock', { table, n: lockSeconds })
}

/** Rows of the school, those of the recycle bin too. */
async function countRows(
  { database, subject }: Context,
  { schema, table }: Place,
): Promise<number> {
  const { rows } = await sql<{ n: string | number }>`
    select count(*) as n from ${tableName(schema, table)} where tenant_id = ${subject.tenant}::int8`.execute(
    database.untyped,
  )
  return Number(rows[0]?.n ?? 0)
}
