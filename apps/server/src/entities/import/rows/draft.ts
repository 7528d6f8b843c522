// A sheet's plan and its rows while they are checked.
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import type { EntityAccess } from '../../../access/access.ts'
import type { Context } from '../../../model/context.ts'
import type { LoadedEntity, LoadedField } from '../../../model/definition/loaded.ts'
import type { ImportOptions, RowFault } from '../../jobs/job.ts'
import type { RawRow } from '../../sheets/read/model.ts'
import type { Change, Checked } from '../../write/values/values.ts'
import type { Decoded } from './decode.ts'
import type { Derive } from '../../write/values/derive.ts'
import type { Resolver } from './resolve.ts'

/** A column of the sheet and the field it is mapped to. */
export interface PlanColumn {
  readonly index: number
  readonly header: string
  readonly field: LoadedField
  readonly empty: ImportOptions['empty']
  /** Holds ids of rows, as an export writes them, and no value of a field. */
  readonly isRowId?: boolean
}

/** Where the keys of the rows are. */
export interface KeyColumn {
  readonly field: LoadedField
  /** The headings of a key of several columns, joined. */
  readonly header: string
  /** The column of row ids; a row without one is matched by the parts. */
  readonly rowId: PlanColumn | null
  /** The columns of the key's values, in key order. */
  readonly parts: readonly PlanColumn[]
}
export interface Uniques {
  /** The sets of fields that must be unique. */
  readonly sets: readonly (readonly LoadedField[])[]
  /** Number of the row that had this value first; null when this row does. */
  readonly seen: (key: string, row: number) => number | null
}

export interface Plan {
  readonly context: Context
  readonly entity: LoadedEntity
  readonly add: EntityAccess | null
  readonly update: EntityAccess | null
  readonly options: ImportOptions
  readonly columns: readonly PlanColumn[]
  /** The column of the key, for update and upsert. */
  readonly keyColumn: KeyColumn | null
  readonly from1904: boolean
  readonly resolver: Resolver
  readonly defaults: ReadonlyMap<string, WireValue>
  readonly derive: Derive
  /** Characters that a new password of an account needs. */
  readonly passwordLength: number
  readonly uniques: Uniques
  readonly labelOf: (attrName: string) => string
  /** A row's number for users: with the name of its sheet where several are imported. */
  readonly rowName: (rowNo: number) => string | number
  /** The result of checking the fields without a column, which is the same for every new row. */
  readonly rest: Checked
}

/** A row while it is checked. */
export interface Draft {
  readonly raw: RawRow
  readonly decoded: ReadonlyMap<string, Decoded>
  /** The possible meanings of the key cells, in the order to try them; empty without a key. */
  keys: readonly string[]
  /** The key of the stored row, else the likeliest one. */
  key: string | null
  /** Why a key cell is no value of its field, where it may still be the id of a row. */
  keyProblem: Pick<RowFault, 'attrName' | 'rule' | 'message' | 'suggestions'> | null
  stored: {
    readonly row: Row
    /** With the names of its choices, and with the keys beside them. */
    readonly labelled: Row
    readonly coded: Row
    readonly access: EntityAccess
  } | null
  readonly errors: RowFault[]
  changes: readonly Change[]
}
