// The columns that are stored encrypted. Only tables of the product are altered; tables of a user's
// own are masked (docs/rules/security.md#d6).
import type { SealContext } from '../../platform/keys/sealed-places.ts'
import { isSealed, type Keys } from '../../platform/keys/keys.ts'

/** An encrypted column with the column of its blind index. */
export interface SealedColumn {
  readonly context: SealContext
  readonly table: string
  readonly column: string
  readonly index: string
}
export const sealedColumns = [
  {
    context: 'biz.student.id_card',
    table: 'biz.student',
    column: 'id_card',
    index: 'id_card_index',
  },
] as const satisfies readonly SealedColumn[]

export function findSealedColumn(table: string, column: string): SealedColumn | undefined {
  return sealedColumns.find((sealed) => sealed.table === table && sealed.column === column)
}

/** The encrypted column of a blind index; any other column is its own. */
export function findValueColumn(table: string, column: string): string {
  return (
    sealedColumns.find((sealed) => sealed.table === table && sealed.index === column)?.column ??
    column
  )
}

/** Columns that no definition may name. */
export const indexColumns: ReadonlySet<string> = new Set(
  sealedColumns.map(({ table, index }) => `${table}.${index}`),
)

/** Seals, opens and compares the values of one encrypted column. */
export interface Sealer {
  readonly index: string
  readonly seal: (text: string) => string
  /** A text that is not encrypted yet is answered as it is. */
  readonly open: (stored: string) => string
  readonly blind: (text: string) => string
}

export function createSealer(
  keys: Keys,
  { context, index }: Pick<SealedColumn, 'context' | 'index'>,
): Sealer {
  return {
    index,
    seal: (text) => keys.seal(context, text),
    open: (stored) => (isSealed(stored) ? keys.open(context, stored) : stored),
    blind: (text) => keys.blind(context, text),
  }
}

/** The student register's ID number, for code that reads the table without a definition. */
export function idNumbers(keys: Keys): Sealer {
  return createSealer(keys, sealedColumns[0])
}
