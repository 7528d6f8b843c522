// The state of a running load of a script of MySQL.
import type { Kysely } from 'kysely'
import { formatScriptError, ScriptError } from '../script-error.ts'
import { tryStatement } from '../try-statement.ts'
import type { Session } from './session.ts'
import type { Key } from './table.ts'
import type { Target } from './tables.ts'
import type { Token } from './tokens.ts'

export interface LoadedTable {
  readonly name: string
  /** With its schema. */
  readonly quoted: string
  readonly line: number
  targets: Target[]
  keys: Key[]
  comment: string
  /** The next number of the AUTO_INCREMENT column. */
  nextNumber: number
  /** Columns that became optional, since a value has no equal here. */
  readonly relaxed: Set<string>
  readonly changes: Map<string, number>
}

export interface Load {
  readonly db: Kysely<unknown>
  readonly schema: string
  readonly now: Date
  readonly tables: Map<string, LoadedTable>
  readonly views: Map<string, { readonly line: number; readonly query: readonly Token[] }>
  readonly databases: Set<string>
  readonly passed: string[]
  readonly session: Session
  statements: number
  rows: number
}

export function findTable(load: Load, name: string): LoadedTable {
  const table = load.tables.get(name.toLowerCase())
  if (table === undefined) throw new ScriptError(`the script makes no table ${name}`)
  return table
}

export function findTarget(table: LoadedTable, name: string): Target {
  const lower = name.toLowerCase()
  const target = table.targets.find(({ column }) => column.name.toLowerCase() === lower)
  if (target === undefined)
    throw new ScriptError(`the table ${table.name} lacks the column ${name}`)
  return target
}

/** The refusal of the database as a sentence; `null` when the statement is done. */
export async function runOptional(db: Kysely<unknown>, text: string): Promise<string | null> {
  const error = await tryStatement(db, text)
  return error === null ? null : formatScriptError(error)
}
