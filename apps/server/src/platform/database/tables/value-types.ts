// Maps column values to JavaScript, the same on both engines: without rounding or time zone shifts.
import pg from 'pg'

type Parse = (text: string) => unknown

/** PostgreSQL's type numbers (pg_type.oid); they never change. */
const oid = {
  bytea: 17,
  point: 600,
  line: 628,
  circle: 718,
  date: 1082,
  time: 1083,
  timestamp: 1114,
  timestamptz: 1184,
  interval: 1186,
  timetz: 1266,
  byteaArray: 1001,
  pointArray: 1017,
  timestampArray: 1115,
  dateArray: 1182,
  timeArray: 1183,
  timestamptzArray: 1185,
  intervalArray: 1187,
  numericArray: 1231,
  int8Array: 1016,
}

const raw: Parse = (text) => text

const utc = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/

/** pg-types knows more types than its declarations list. */
const valueParser = pg.types.getTypeParser as (id: number, format?: 'text' | 'binary') => Parse

const textArray = 1009
const splitArray = valueParser(textArray)

const parsers = new Map<number, Parse>([
  [oid.bytea, bytes],
  [oid.byteaArray, createListParser(bytes)],
  [oid.timestamptz, instant],
  [oid.timestamptzArray, createListParser(instant)],
  ...[
    oid.date,
    oid.time,
    oid.timestamp,
    oid.interval,
    oid.timetz,
    oid.point,
    oid.line,
    oid.circle,
  ].map((id): [number, Parse] => [id, raw]),
  ...[
    oid.dateArray,
    oid.timeArray,
    oid.timestampArray,
    oid.intervalArray,
    oid.pointArray,
    oid.numericArray,
    oid.int8Array,
  ].map((id): [number, Parse] => [id, createListParser(raw)]),
])

/** For the option `types` of pg, which by default returns int8 and numeric as strings and parses json. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(id)) ||
    valueParser(id, format)) as typeof pg.types.getTypeParser,
}

/** `2026-11-21 08:30:00.5+00` -> `2026-11-21T08:30:00.500Z`. Keeps microseconds, infinity and BC. */
function instant(text: string) {
  const [, day, time, fraction = ''] = utc.exec(text) ?? []
  return day === undefined || time === undefined
    ? text
    : `${day}T${time}.${fraction.padEnd(3, '0')}Z`
}

function bytes(text: string) {
  const { buffer, byteOffset, length } = Buffer.from(text.slice(2), 'hex')
  return new Uint8Array(buffer, byteOffset, length)
}

function parseNested(parse: Parse, entry: unknown): unknown {
  return Array.isArray(entry)
    ? entry.map((inner) => parseNested(parse, inner))
    : typeof entry === 'string'
      ? parse(entry)
      : null
}

function createListParser(parse: Parse): Parse {
  return (text) => parseNested(parse, splitArray(text))
}
