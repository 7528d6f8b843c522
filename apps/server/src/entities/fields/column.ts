// A column as the catalog describes it, and what it can hold. Names reach SQL only from here.

/** A column of an entity's table, read from information_schema. */
export interface Column {
  readonly name: string
  /** PostgreSQL's own type name: `int8`, `varchar`, `_text`. */
  readonly type: string
  /** Characters of a varchar, null when unbounded. */
  readonly length: number | null
  /** Digits and decimals of a numeric, null when unbounded. */
  readonly precision: number | null
  readonly scale: number | null
  readonly nullable: boolean
  readonly hasDefault: boolean
  /** Computed by the database: never written. */
  readonly generated: boolean
}

/** The families of column types the product knows; anything else is not offered as a field. */
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

const families: Readonly<Record<string, ColumnFamily>> = {
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  numeric: 'decimal',
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
export const familyOf = (column: Column): ColumnFamily | undefined => families[column.type]
export const isArray = (column: Column): boolean => column.type.startsWith('_')

/** What a bound value is cast to, so that the database never guesses. `instant` operands are local times. */
export const castOf = {
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
} as const satisfies Record<ColumnFamily, string>

const integerRanges: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int2: [-32768n, 32767n],
  int4: [-2147483648n, 2147483647n],
  int8: [-9223372036854775808n, 9223372036854775807n],
}

const clockTime = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/
/** There is no NUL character in a PostgreSQL text. */
const storable = (value: unknown): boolean => typeof value !== 'string' || !value.includes('\u0000')

/** The rule a value for this column breaks, or null when it fits. `value` is what would be bound. */
export function columnViolation(value: unknown, column: Column): 'value' | 'maxLength' | null {
  if (value === null) return null
  if (Array.isArray(value))
    return isArray(column) &&
      value.every(
        (each) => columnViolation(each, { ...column, type: column.type.slice(1) }) === null,
      )
      ? null
      : 'value'
  if (!storable(value)) return 'value'
  switch (familyOf(column)) {
    case 'text':
      return column.length !== null && [...String(value)].length > column.length
        ? 'maxLength'
        : null
    case 'integer':
      return fitsInteger(value, column.type) ? null : 'value'
    case 'decimal':
      return fitsDecimal(value, column) ? null : 'value'
    case 'float':
      return Number.isFinite(Number(value)) ? null : 'value'
    case 'uuid':
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(value)) ? null : 'value'
    case 'date':
    case 'timestamp':
    case 'instant':
      return fitsDay(value) ? null : 'value'
    case 'time':
      return clockTime.test(String(value)) ? null : 'value'
    case 'json':
      return fitsJson(value) ? null : 'value'
    case 'boolean':
      return ['true', 'false', '1', '0'].includes(String(value)) ? null : 'value'
    case 'texts':
    case 'integers':
      return isArray(column) ? 'value' : null
    case undefined:
      return 'value'
  }
}

function fitsInteger(value: unknown, type: string): boolean {
  const range = integerRanges[type]
  if (range === undefined || !/^[+-]?\d{1,19}$/.test(String(value))) return false
  const n = BigInt(String(value).replace('+', ''))
  return n >= range[0] && n <= range[1]
}

function fitsDecimal(value: unknown, { precision, scale }: Column): boolean {
  const found = /^[+-]?0*(\d*)(?:\.(\d*?)0*)?$/.exec(String(value))
  if (found === null) return false
  const [whole = '', decimals = ''] = [found[1], found[2]]
  return precision === null
    ? true
    : decimals.length <= (scale ?? 0) && whole.length <= precision - (scale ?? 0)
}

/** A day that was, with a clock time or without. PostgreSQL has no year 0. */
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
    JSON.parse(String(value))
    return true
  } catch {
    return false
  }
}
