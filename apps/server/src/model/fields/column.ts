// A column as the catalog describes it, and the values it can hold.
import { isSkippedTime } from '@jiaowu/api/formats'

/** A column of an entity's table, from pg_attribute. */
export interface Column {
  readonly name: string
  /** PostgreSQL's internal type name: `int8`, `varchar`, `_text`; of a domain, its base type. */
  readonly type: string
  /** The quoted name of the type for casts, without a length; absent for types without a text form. */
  readonly sqlType?: string
  /** Maximum characters of a varchar, null when unbounded. */
  readonly length: number | null
  /** Digits and decimals of a numeric, null when unbounded. */
  readonly precision: number | null
  readonly scale: number | null
  readonly nullable: boolean
  readonly hasDefault: boolean
  /** Computed by the database, never written. */
  readonly generated: boolean
  /** The database's default is the time of the session, such as `now()`. */
  readonly defaultIsNow?: boolean
}

/** The supported families of column types. A column of another type cannot be a field. */
export type ColumnFamily =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'instant'
  | 'time'
  | 'json'
  | 'uuid'
  | 'texts'
  | 'integers'
  /** Any other type: read and written in the text form of the database. */
  | 'other'

const families: Readonly<Record<string, ColumnFamily>> = {
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  citext: 'text',
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  numeric: 'decimal',
  money: 'decimal',
  float4: 'float',
  float8: 'float',
  bool: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'instant',
  time: 'time',
  json: 'json',
  jsonb: 'json',
  uuid: 'uuid',
  _text: 'texts',
  _varchar: 'texts',
  _int2: 'integers',
  _int4: 'integers',
  _int8: 'integers',
}
/** The family of a column; undefined when it has no text form, as bytea. */
export const familyOf = (column: Column): ColumnFamily | undefined =>
  families[column.type] ?? (column.sqlType === undefined ? undefined : 'other')
export const isArray = (column: Column): boolean => column.type.startsWith('_')

/** The cast of a bound value per family. `instant` values are bound as local times. */
const castsByFamily = {
  text: 'text',
  integer: 'int8',
  decimal: 'numeric',
  float: 'float8',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  instant: 'timestamp',
  time: 'time',
  json: 'jsonb',
  uuid: 'uuid',
  texts: 'text[]',
  integers: 'int8[]',
  other: 'text',
} as const satisfies Record<ColumnFamily, string>

/** Types of the text family that a comparison with text would not find in an index. */
const ownCasts: ReadonlySet<string> = new Set(['bpchar', 'citext'])

/** The type that values compared with the column, or written to it, are bound as. */
export function chooseCast(column: Column): string {
  const family = familyOf(column) ?? 'text'
  // As a double, 0.1 is another number than a stored single of 0.1.
  if (column.type === 'float4') return 'float4'
  return column.sqlType !== undefined && (family === 'other' || ownCasts.has(column.type))
    ? column.sqlType
    : castsByFamily[family]
}

/** Families and types that PostgreSQL can order and compare for equality. */
const unordered: ReadonlySet<string> = new Set(
  'xml point line lseg box path polygon circle xid cid aclitem tsquery'.split(' '),
)
/** Whether rows can be ordered by the column, as one plain value. */
export function isOrdered(column: Column): boolean {
  const family = familyOf(column)
  return (
    family !== undefined &&
    !['texts', 'integers', 'json'].includes(family) &&
    !unordered.has(column.type) &&
    !isArray(column)
  )
}

const integerRanges: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int2: [-32768n, 32767n],
  int4: [-2147483648n, 2147483647n],
  int8: [-9223372036854775808n, 9223372036854775807n],
}

const clockTime = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/
/** PostgreSQL texts cannot contain NUL characters. */
export function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || !value.includes('\u0000')
}

/** `skippedTime`: a local time over which the clocks of the school were set forward. */
export type Violation = 'value' | 'maxLength' | 'skippedTime'

/** The rule a value breaks in this column, or null when it fits. `value` is the value to bind. */
export function columnViolation(value: unknown, column: Column): Violation | null {
  if (value === null) return null
  const family = familyOf(column)
  if (Array.isArray(value) && family !== 'other') {
    const element = { ...column, type: column.type.slice(1) }
    const fits = isArray(column) && value.every((each) => columnViolation(each, element) === null)
    return fits ? null : 'value'
  }
  if (family === undefined || !isStorable(value)) return 'value'
  if (family === 'text' && column.length !== null && [...String(value)].length > column.length)
    return 'maxLength'
  if (!fitsFamily[family](value, column)) return 'value'
  return family === 'instant' && isSkipped(String(value)) ? 'skippedTime' : null
}

/** A day alone is never skipped: it begins with its first moment. */
function isSkipped(value: string): boolean {
  const [day = '', clock] = value.split(' ')
  return (
    clock !== undefined && isSkippedTime(`${day} ${clock.length === 5 ? `${clock}:00` : clock}`)
  )
}

/**
 * Whether the column would store another number than the one that was sent: as a double,
 * 9007199254740993 ends in 2. Results of formulas and operands of filters may be rounded.
 */
export function losesDigits(value: unknown, column: Column): boolean {
  return (
    value !== null && familyOf(column) === 'float' && !survivesFloat(String(value), column.type)
  )
}

/** Whether a single value fits a column of the family, apart from the length of texts. */
const fitsFamily = {
  text: () => true,
  integer: (value, column) => fitsInteger(value, column.type),
  decimal: fitsDecimal,
  float: (value) => Number.isFinite(Number(value)),
  uuid: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(value)),
  date: fitsDay,
  timestamp: fitsDay,
  instant: fitsDay,
  time: (value) => clockTime.test(String(value)),
  json: fitsJson,
  boolean: (value) => ['true', 'false', '1', '0'].includes(String(value)),
  texts: () => false,
  integers: () => false,
  // Only the database knows the text forms of its types; a wrong one is a fault of the field.
  other: () => true,
} as const satisfies Record<ColumnFamily, (value: unknown, column: Column) => boolean>

function fitsInteger(value: unknown, type: string): boolean {
  const range = integerRanges[type]
  if (range === undefined || !/^[+-]?\d{1,19}$/.test(String(value))) return false
  const n = BigInt(String(value).replace('+', ''))
  return n >= range[0] && n <= range[1]
}

function survivesFloat(text: string, type: string): boolean {
  if (type !== 'float4') return isSameNumber(text, String(Number(text)))
  const single = Math.fround(Number(text))
  // PostgreSQL writes a single with the fewest digits that name it, at most 9.
  for (let digits = 1; digits <= 9; digits += 1) {
    const shortest = Number(single.toPrecision(digits))
    if (Math.fround(shortest) === single) return isSameNumber(text, String(shortest))
  }
  return false
}

function fitsDecimal(value: unknown, { precision, scale }: Column): boolean {
  const found = /^[+-]?0*(\d*)(?:\.(\d*?)0*)?$/.exec(String(value))
  if (found === null) return false
  const [whole = '', decimals = ''] = [found[1], found[2]]
  return precision === null
    ? true
    : decimals.length <= (scale ?? 0) && whole.length <= precision - (scale ?? 0)
}

/** An existing date, with or without a time of day. PostgreSQL has no year 0. */
function fitsDay(value: unknown): boolean {
  const [day = '', time, ...rest] = String(value).split(' ')
  if (
    !/^\d{4}-\d\d-\d\d$/.test(day) ||
    day.startsWith('0000') ||
    rest.length > 0 ||
    (time !== undefined && !clockTime.test(time))
  )
    return false
  const at = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
}

function fitsJson(value: unknown): boolean {
  try {
    parseJson(String(value))
    return true
  } catch {
    return false
  }
}

import { isSameNumber, parseJson } from '@jiaowu/api/exact-json'
