// Input of `writeRows`, and the part of it that effects see (docs/decisions/0022-one-write-path.md).
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import type { Row } from '@jiaowu/api/entity/values'
import type { Message } from '@jiaowu/api/texts/index'
import type { EntityAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import type { Condition } from '../../model/definition/names.ts'
import type { Column } from '../../model/fields/column.ts'
import type { RawRow } from '../read/rows.ts'
import type { Reference } from './removal/references.ts'
import type { Derive } from './values/derive.ts'
import type { Change } from './values/values.ts'

/** In the order in which `writeRows` runs their statements. */
export const writeKinds = ['create', 'update', 'move', 'delete', 'restore', 'purge'] as const
export type WriteKind = (typeof writeKinds)[number]

/** A row to write. Make it in the transaction: effects add to it, and a transaction may run twice. */
export interface RowWrite {
  readonly kind: WriteKind
  /** For a new row the key that it will have; null where a person or the database gives it. */
  readonly id: string | null
  /** The checked values; passwords of accounts as hashes. The effect `derived` adds what follows from them. */
  changes: readonly Change[]
  /** The version that the caller has seen; undefined: whatever the row is now. */
  readonly version?: string | null
  /** As it was before; given by callers that have locked the row in this transaction. */
  stored?: Row
  /** A new row's id comes from a form, which got it before the save. */
  readonly isFormId?: boolean
  /** The row of the ledger. */
  readonly no?: number
  /** The serial number of a new row. */
  number?: { readonly column: Column; readonly text: string }
  /** The key that a new row got. */
  made?: string
  /** As the insert or update has answered it. */
  raw?: RawRow
  /** As the caller reads it once it is written, where the writer asks for that. */
  answer?: Row
}

/** The key of a row that is written. */
export function readRowKey({ made, id }: RowWrite): string {
  return made ?? id ?? ''
}

/** Identifies a row for reading it before the write: its key, null for a new row whatever id it will have. */
export function toStoredRow({ kind, id, changes }: RowWrite): Pick<RowWrite, 'id' | 'changes'> {
  return { id: kind === 'create' ? null : id, changes }
}

export function readRowKeys(rows: readonly RowWrite[]): string[] {
  return rows.map(readRowKey)
}

/** The caller who writes, the entity, and facts read before the transaction: in it, only its connection may be used. */
export interface RowWriter {
  readonly context: Context
  readonly entity: LoadedEntity
  /**
   * Rows of a ledger: one that may not be written is left out and told, the others are written. Else the
   * first refusal is thrown. The job has checked choices and derived values when it checked the rows.
   */
  readonly isJob: boolean
  /** Where new rows may be; null where none may be added. */
  readonly add: EntityAccess | null
  /** Which stored rows may be changed or removed; null where none may. */
  readonly change: EntityAccess | null
  /** In place of the rows of `change`: those in the recycle bin. */
  readonly within?: Condition
  /** Refuses rows whose choices may not be chosen, and holds the chosen records until the commit. */
  readonly choices?: Run
  readonly derive?: Derive
  /** Fields that refer to the entity, for rows that go. */
  readonly references?: readonly Reference[]
  /**
   * A decision in a flow: `own` writes the row of the case, its state included; `effect` another row, whose
   * fields it may change although a state or a submitted sheet closes them.
   */
  readonly flow?: 'own' | 'effect'
  /** The entity whose flow it is. */
  readonly flowTag?: string
  /** Appends the audit lines of the written rows. */
  readonly audit: (trx: AnyDatabase, rows: readonly RowWrite[]) => void
  /** The fields of `RowWrite.answer`. */
  readonly answer?: readonly LoadedField[]
}

/** Input of an effect: the rows of its kinds that are still to be written. Never empty. */
export interface Batch {
  readonly trx: AnyDatabase
  readonly writer: RowWriter
  readonly rows: readonly RowWrite[]
  /** @throws the refusal, where one row stops all */
  readonly refuse: (
    row: RowWrite,
    fault: {
      readonly rule: WriteFaultRule
      readonly attrName?: string | null
      /** In place of the message of the rule, for the ledger of a job. */
      readonly message?: Message
    },
    refusal: () => Error,
  ) => void
  /** Leaves out a row that nothing changes. */
  readonly skip: (row: RowWrite) => void
}

/** A check for after the statements, of something that was read before them. */
type Later = () => Promise<void>
export type Run = (batch: Batch) => Promise<void | Later>

interface Step {
  readonly kinds: readonly WriteKind[]
  readonly run: Run
}

/** An effect of writing rows: a rule that may refuse them, or another thing to write. */
export interface WriteEffect {
  readonly name: string
  /** Before the statements. */
  readonly before?: Step
  /** After the statements, in their transaction. */
  readonly after?: Step
}

export type WriteFaultRule =
  | 'noRecord'
  | 'changed'
  | 'choice'
  | 'inUse'
  | 'scope'
  | 'depth'
  | 'locked'
  | 'flow'

export interface WriteFault {
  readonly row: RowWrite
  readonly rule: WriteFaultRule
  readonly attrName: string | null
  readonly message?: Message
}

/** Faults found after rows were written: roll back the transaction or the savepoint. */
export class WrittenWrong extends Error {
  readonly faults: readonly WriteFault[]
  constructor(faults: readonly WriteFault[]) {
    super('rows were written that may not be')
    this.faults = faults
  }
}
