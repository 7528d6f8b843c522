// Columns that the server fills and obeys without being asked: those of tables made for this product.
// A table from elsewhere may have columns of the same names with another meaning, such as a
// `tenant_id` of its own; they are ordinary columns unless the definition says otherwise.
import { formSchema } from '@jiaowu/api/entity/definition/sheet'
import type { SystemColumn } from '@jiaowu/api/entity/enums'
import type { Column } from '../fields/column.ts'

/** The schemas whose tables follow docs/rules/database.md. */
const ownSchemas: ReadonlySet<string> = new Set(['biz', 'sys', formSchema])

export function isOwnSchema(name: string): boolean {
  return ownSchemas.has(name)
}

const wholeNumbers = ['int2', 'int4', 'int8']
const moments = ['timestamptz', 'timestamp']
/** Types that a column of the product has; others are a stranger's. */
const ownTypes: Readonly<Record<SystemColumn, readonly string[]>> = {
  tenant_id: ['int8'],
  org_id: ['int8'],
  create_user: ['int8'],
  create_time: moments,
  update_user: ['int8'],
  update_time: moments,
  version: wholeNumbers,
  deleted_at: moments,
}

/** Whether the column has the product's meaning of its name. */
export function isOwnColumn(schema: string, name: SystemColumn, column: Column): boolean {
  if (!isOwnSchema(schema) || !ownTypes[name].includes(column.type)) return false
  // A default would give rows to a school that the statement does not name.
  return name !== 'tenant_id' || !column.hasDefault
}

/** Whether the server could keep a column of another program, if its definition says so. */
export function canBeSystem(name: SystemColumn, { type }: Pick<Column, 'type'>): boolean {
  return ownTypes[name].includes(type) || (ownTypes[name].includes('int8') && type === 'int4')
}

/** Whether the column names the school of a row. */
export function isSchoolColumn(schema: string, column: Column): boolean {
  return column.name === 'tenant_id' && isOwnColumn(schema, 'tenant_id', column)
}
