import type { UiType } from '../entity/enums.ts'

const numeric = new Set([
  'bigint',
  'int',
  'integer',
  'int2',
  'int4',
  'int8',
  'smallint',
  'decimal',
  'numeric',
  'real',
  'float4',
  'float8',
  'double precision',
])
const texts = new Set(['text', 'longtext', 'mediumtext'])

/**
 * The uiType of a new field, from its column (docs/spec/2-student-service-and-designer.md §3).
 * `length` in characters, null when unbounded.
 */
export function uiTypeOfColumn(dataType: string, length: number | null): UiType {
  const type = dataType.toLowerCase()
  if (texts.has(type)) return 'textarea'
  if ((type === 'varchar' || type === 'character varying') && length !== null && length > 128)
    return 'textarea'
  if (numeric.has(type)) return 'inputNumber'
  if (type === 'date') return 'date'
  if (type === 'datetime' || type.startsWith('timestamp')) return 'datetime'
  if (type.startsWith('time')) return 'time'
  return 'input'
}

/** Column names are snake_case, attrNames camelCase: `student_no` → `studentNo`. */
export function attrNameOfColumn(columnName: string): string {
  const name = columnName
    .toLowerCase()
    .replace(/_+([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase())
    .replace(/^_+|_+$/g, '')
  return isObjectName(name) ? `${name}Value` : name
}

/**
 * Whether every JavaScript object has a property of the name, such as `toString` and `constructor`:
 * a value keyed by it would be found in records that have none.
 */
export function isObjectName(name: string): boolean {
  return name in Object.prototype
}
