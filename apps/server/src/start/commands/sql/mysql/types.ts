// Types of MySQL → types of PostgreSQL.
// https://dev.mysql.com/doc/refman/8.4/en/data-types.html
import { ScriptError } from '../script-error.ts'
import type { Column } from './table.ts'

/** How the values of a column are written. */
export type Family =
  | 'text'
  | 'number'
  | 'bytes'
  | 'date'
  | 'local time'
  | 'instant'
  | 'boolean'
  | 'bits'
  | 'options'

export interface TargetType {
  readonly type: string
  readonly family: Family
}

type Integer = readonly [signed: string, unsigned: string]
const integers: Readonly<Record<string, Integer>> = {
  tinyint: ['smallint', 'smallint'],
  bool: ['smallint', 'smallint'],
  boolean: ['smallint', 'smallint'],
  smallint: ['smallint', 'integer'],
  mediumint: ['integer', 'integer'],
  int: ['integer', 'bigint'],
  integer: ['integer', 'bigint'],
  bigint: ['bigint', 'numeric(20)'],
  serial: ['bigint', 'bigint'],
}

type Write = (size: readonly string[]) => TargetType

const decimal: Write = (size) => ({
  type: `numeric(${size.length === 0 ? '10' : size.join(',')})`,
  family: 'number',
})
const double: Write = () => ({ type: 'double precision', family: 'number' })
const shortText: Write = ([length = '1']) => ({ type: `varchar(${length})`, family: 'text' })
const longText: Write = () => ({ type: 'text', family: 'text' })
const bytes: Write = () => ({ type: 'bytea', family: 'bytes' })
const address: Write = () => ({ type: 'inet', family: 'text' })

const others: Readonly<Record<string, Write>> = {
  decimal,
  dec: decimal,
  numeric: decimal,
  fixed: decimal,
  // FLOAT(p) of more than 24 bits is a double, FLOAT(m,d) is not.
  float: (size) =>
    size.length === 1 && Number(size[0]) > 24 ? double(size) : { type: 'real', family: 'number' },
  double,
  real: double,
  year: () => ({ type: 'smallint', family: 'number' }),
  bit: ([length = '1']) =>
    length === '1'
      ? { type: 'boolean', family: 'boolean' }
      : { type: 'numeric(20)', family: 'bits' },
  char: shortText,
  varchar: shortText,
  nchar: shortText,
  nvarchar: shortText,
  character: shortText,
  tinytext: longText,
  text: longText,
  mediumtext: longText,
  longtext: longText,
  set: longText,
  enum: (options) => ({
    type: `varchar(${Math.max(1, ...options.map((each) => [...each].length))})`,
    family: 'options',
  }),
  json: () => ({ type: 'jsonb', family: 'text' }),
  uuid: () => ({ type: 'uuid', family: 'text' }),
  inet4: address,
  inet6: address,
  date: () => ({ type: 'date', family: 'date' }),
  datetime: ([digits = '0']) => ({ type: `timestamp(${digits})`, family: 'local time' }),
  timestamp: ([digits = '0']) => ({ type: `timestamptz(${digits})`, family: 'instant' }),
  time: ([digits = '0']) => ({ type: `time(${digits})`, family: 'text' }),
  binary: bytes,
  varbinary: bytes,
  tinyblob: bytes,
  blob: bytes,
  mediumblob: bytes,
  longblob: bytes,
  geometry: bytes,
  point: bytes,
  linestring: bytes,
  polygon: bytes,
  multipoint: bytes,
  multilinestring: bytes,
  multipolygon: bytes,
  geometrycollection: bytes,
}

/** @throws ScriptError for a type of which nothing is known */
export function toTargetType({ name, type, size, isUnsigned, isAuto }: Column): TargetType {
  const whole = integers[type]
  if (whole !== undefined) {
    const [signed, unsigned] = whole
    // An identity cannot be numeric.
    const wide = isAuto && type === 'bigint' ? 'bigint' : unsigned
    return { type: isUnsigned ? wide : signed, family: 'number' }
  }
  const write = others[type]
  if (write === undefined) throw new ScriptError(`the type ${type} of ${name} is unknown`)
  return write(size)
}
