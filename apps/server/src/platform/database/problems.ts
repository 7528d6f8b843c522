// Classifies database errors. Both engines throw the pg driver's DatabaseError.
import { cutText } from '@jiaowu/api/cut-text'
import pg from 'pg'

export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

export interface BrokenConstraint {
  kind: 'unique' | 'foreignKey' | 'check' | 'notNull'
  schema?: string
  table?: string
  column?: string
  constraint?: string
  /**
   * True for a foreign key when rows that refer to this one hold it, rather than a missing target.
   */
  isHeld?: boolean
  /** The columns of this table that they refer to. */
  heldColumns?: string[]
}

const constraintKinds: Record<string, BrokenConstraint['kind']> = {
  '23505': 'unique',
  '23503': 'foreignKey',
  '23514': 'check',
  '23502': 'notNull',
}

/** The constraint that a write violated; undefined for other errors. */
export function brokenConstraint(error: unknown): BrokenConstraint | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined
  const said = error.constraint || error.column ? undefined : parseConstraintSentence(error.message)
  const kind = constraintKinds[error.code ?? ''] ?? said?.kind
  if (kind === undefined) return undefined
  const { schema, table, column, constraint } = { ...said, ...readConstraintFields(error) }
  return {
    kind,
    ...(schema && { schema }),
    ...(table && { table }),
    ...(column && { column }),
    ...(constraint && { constraint }),
    ...(kind === 'foreignKey' && heldBy(error.detail ?? '')),
  }
}

/** `Key (code)=(1) is still referenced from table "line".` */
function heldBy(detail: string): Pick<BrokenConstraint, 'isHeld' | 'heldColumns'> {
  const columns = /^Key \((.+?)\)=\(.*is still referenced/s.exec(detail)?.[1]
  return columns === undefined
    ? { isHeld: /is still referenced/.test(detail) }
    : {
        isHeld: true,
        heldColumns: columns.split(', ').map((name) => name.replace(/^"(.*)"$/, '$1')),
      }
}

/**
 * Whether the database refused a value that a person entered: a wrong form, a broken constraint, or
 * an error that a trigger or rule of the table raised.
 */
export function isDataError(error: unknown): boolean {
  const state = sqlState(error) ?? ''
  return /^(22|23|27|44|P0)/.test(state) || ['428C9', '42501', '0A000', '55000'].includes(state)
}

/**
 * The SQLSTATE of an error that a function raised while a statement ran, or of a value that could not
 * be computed (class 22); null for other errors, such as a fault of the statement itself.
 */
export function failureOfSource(error: unknown): string | null {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return null
  const isInFunction = /^(SQL|PL\/\w+) function /m.test(error.where ?? '')
  return !isUnavailable(error) && (isInFunction || error.code.startsWith('22')) ? error.code : null
}

/** The sentence that a trigger or function of the table raised for its users; null for other errors. */
export function raisedMessage(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === 'P0001'
    ? cutText(error.message.split('\n')[0] ?? '', 200)
    : null
}

/** The column that such an error names with `using column = …`; null without one. */
export function raisedColumn(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === 'P0001' ? (error.column ?? null) : null
}

/**
 * Facts of an error of class 22 or 23514 about a value that the table itself computed or took over.
 */
export interface MisfitValue {
  /** The text that was no value of its type. */
  readonly text?: string
  /** The type that it did not fit, as `typname`, and its limits. */
  readonly type?: string
  readonly length?: number
  readonly precision?: number
  readonly scale?: number
}

const misfits: readonly (readonly [string, RegExp])[] = [
  ['22001', /^value too long for type (?<type>character varying|character)\((?<length>\d+)\)/],
  ['22003', /(?<type>smallint|integer|bigint) out of range/],
  ['22003', /precision (?<precision>\d+), scale (?<scale>\d+)/],
  ['22P02', /: "(?<text>.*)"$/s],
  ['22007', /: "(?<text>.*)"$/s],
  ['22008', /: "(?<text>.*)"$/s],
]
const typeNames: Readonly<Record<string, string>> = {
  'character varying': 'varchar',
  character: 'bpchar',
  smallint: 'int2',
  integer: 'int4',
  bigint: 'int8',
}

/** Null for other errors, and where the database speaks another language than English. */
export function misfitValue(error: unknown): MisfitValue | null {
  if (!(error instanceof pg.DatabaseError)) return null
  for (const [state, pattern] of misfits) {
    const found =
      error.code === state
        ? (pattern.exec(error.message) ?? pattern.exec(error.detail ?? ''))?.groups
        : undefined
    if (found === undefined) continue
    const { text, type, length, precision, scale } = found
    return {
      ...(text !== undefined && { text }),
      ...(type !== undefined && { type: typeNames[type] ?? type }),
      ...(length !== undefined && { length: Number(length) }),
      ...(precision !== undefined && {
        type: 'numeric',
        precision: Number(precision),
        scale: Number(scale),
      }),
    }
  }
  return null
}

/** The domain whose rule a value broke, which names no column; null for other errors. */
export function brokenDomain(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === '23514' && !error.table
    ? (error.dataType ?? null)
    : null
}

/** A shard on the node that was asked ends its table and its constraint with the same number. */
function readConstraintFields(error: pg.DatabaseError): Partial<BrokenConstraint> {
  const { schema, column } = error
  const shard = /_\d{6,}$/.exec(error.table ?? '')?.[0] ?? ''
  const isShard = shard !== '' && error.constraint?.endsWith(shard) === true
  const [table, constraint] = [error.table, error.constraint].map((name) =>
    isShard ? name?.slice(0, -shard.length) : name,
  )
  return {
    ...(schema && { schema }),
    ...(table && { table }),
    ...(column && { column }),
    ...(constraint && { constraint }),
  }
}

const sentences: readonly (readonly [BrokenConstraint['kind'], RegExp])[] = [
  ['unique', /violates unique constraint "(?<constraint>[^"]+)"/],
  ['foreignKey', /table "(?<table>[^"]+)" violates foreign key constraint "(?<constraint>[^"]+)"/],
  ['check', /relation "(?<table>[^"]+)" violates check constraint "(?<constraint>[^"]+)"/],
  ['notNull', /column "(?<column>[^"]+)" of relation "(?<table>[^"]+)" violates not-null/],
]

/**
 * Parses the sentence of an error whose fields are empty: a worker of a distributed engine sends
 * only the sentence, with the number of the shard behind each name, and after `insert … select` not
 * even the SQLSTATE.
 */
function parseConstraintSentence(message: string): BrokenConstraint | undefined {
  for (const [kind, pattern] of sentences) {
    const found = pattern.exec(message)?.groups
    if (found === undefined) continue
    const { table, column, constraint } = found
    return {
      kind,
      ...(table && { table: withoutShard(table) }),
      ...(column && { column }),
      ...(constraint && { constraint: withoutShard(constraint) }),
    }
  }
  return undefined
}

const withoutShard = (name: string): string => name.replace(/_\d{6,}$/, '')

/** The connection was given up while a statement ran: whether a commit took effect is unknown. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** The database takes no writes: a standby, or a server that is being moved. */
export class ReadOnlyDatabase extends Error {
  override readonly name = 'ReadOnlyDatabase'
  constructor() {
    super('the database is read-only')
  }
}

/** SQLSTATE of a write in a read-only transaction. */
export const readOnlyState = '25006'

/** Whether a write was refused because the database takes none at the moment. */
export function isReadOnlyDatabase(error: unknown): boolean {
  return error instanceof ReadOnlyDatabase || sqlState(error) === readOnlyState
}

/** Whether a statement was sent and not answered, so that a change may have taken effect. */
export function isUnanswered(error: unknown): boolean {
  return (
    error instanceof ConnectionLost ||
    (error instanceof Error &&
      sqlState(error) === undefined &&
      lostTexts.test(formatErrorText(error)))
  )
}
const lostTexts = /was restarted|is not queryable|Connection terminated(?! due to)|ECONNRESET|EPIPE/

/** SQLSTATE classes: connection lost, out of resources, operator intervention (shutdown, cancelled by timeout). */
const unavailableClasses = ['08', '53', '57']
const unavailableTexts = new RegExp(
  [
    'timeout exceeded when trying to connect',
    'timeout expired',
    'is not queryable',
    'after calling end on the pool',
    'Connection terminated',
    'embedded database (was restarted|is not open)',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'rolled back\\.$',
  ].join('|'),
)

/** Whether the database is temporarily unavailable (answered 503 with Retry-After). */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionLost || isReadOnlyDatabase(error)) return true
  const state = sqlState(error)
  if (state !== undefined) return unavailableClasses.includes(state.slice(0, 2))
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  return error instanceof Error && unavailableTexts.test(formatErrorText(error))
}

function formatErrorText(error: Error): string {
  return `${error.message} ${'code' in error ? String(error.code) : ''}`
}

/**
 * A prepared statement whose table has changed ("cached plan must not change result type"), or that the
 * session does not know.
 */
export function isOutdatedStatement(error: unknown): boolean {
  const state = sqlState(error)
  return (
    state === '26000' ||
    (state === '0A000' && error instanceof Error && error.message.startsWith('cached plan'))
  )
}

/**
 * Whether a cluster split or moved the shard of a statement between its planning and its execution.
 * The statement did nothing; planned anew it finds the shard. Citus 13.2 gives the second form no
 * SQLSTATE of its own, and a worker names the shard's table, which ends with its number. (For writes
 * it mostly answers 40001.)
 */
export function isMovedShard(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  return (
    (error.code === '42P01' && /^relation "[^"]+_\d{6,}" does not exist/.test(error.message)) ||
    (error.code === 'XX000' && error.message.startsWith('could not find valid entry for shard'))
  )
}
