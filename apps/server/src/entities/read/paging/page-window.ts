import type { RawBuilder } from 'kysely'
import type { StatementTemplate } from '../../../platform/database/statements/statement-template.ts'
import type { QueryPlan } from '../query.ts'
import type { RawRow } from '../rows.ts'

export interface PageWindow {
  readonly size: number
  readonly current: number
  readonly offset: number
}

export interface FoundRows {
  readonly rows: readonly RawRow[]
  /**
   * The version of the table in the snapshot of the rows; null without rows, and for lists that are
   * not remembered.
   */
  readonly version: string | null
  /** Whether the first row is at the offset exactly: writes may have moved a bookmark. */
  readonly isExact: boolean
}

/** A plan with expressions to select besides the fields. */
export interface RowsPlan extends QueryPlan {
  readonly extra?: RawBuilder<unknown>
  /** One plan of the database serves all its pages, whatever its condition looks for. */
  readonly hasOnePlan?: boolean
  /** The list has no condition besides the school's: a row more in the table is a row more in the list. */
  readonly isWhole?: boolean
  /** Statements that were made from this plan, by their form. */
  readonly statements?: Map<string, StatementTemplate<RawRow>> | undefined
}
