// Columns that hold personal data. A mark follows the column, not the attribute: every entity on the
// table is masked, however it names the field (docs/rules/security.md#d4).
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import type { PiiKind } from '@jiaowu/api/entity/enums'

/** Kinds of personal data by `schema.table.column` or `schema.table.custom:attrName`. */
export type MarkedColumns = ReadonlyMap<string, PiiKind>

/** As column-key.ts names a field: by its column, or by its attrName without one. */
export function markKey(
  { schemaName, tableName }: Pick<EntityDefinition, 'schemaName' | 'tableName'>,
  { columnName, attrName }: Pick<FieldDefinition, 'columnName' | 'attrName'>,
): string {
  return `${schemaName}.${tableName}.${columnName ?? `custom:${attrName}`}`
}

/** Columns of the product's own tables, whatever the definitions on them say. */
const productColumns: MarkedColumns = new Map([
  ['biz.student.id_card', 'idCard'],
  ['biz.student.mobile', 'mobile'],
  ['biz.student.account_mobile', 'mobile'],
  ['biz.teacher.mobile', 'mobile'],
  ['sys.app_user.mobile', 'mobile'],
  ['sys.sms_task.mobile', 'mobile'],
])

/** The kind of a column of the product's own tables. */
export function productMark(key: string): PiiKind | undefined {
  return productColumns.get(key)
}

/** The first definition that marks a column decides the kind, and with it the mask. */
export function markedColumns(
  definitions: readonly { readonly definition: EntityDefinition }[],
): MarkedColumns {
  const marks = new Map(productColumns)
  for (const { definition } of definitions)
    for (const field of definition.fields)
      if (field.pii !== null) {
        const key = markKey(definition, field)
        marks.set(key, marks.get(key) ?? field.pii)
      }
  return marks
}
