// A sheet's plan and its rows while they are checked.
import type { Row, WireValue } from '@jiaowu/api'
import type { EntityAccess } from '../../../access/access.ts'
import type { Context } from '../../../context.ts'
import type { LoadedEntity, LoadedField } from '../../definition/loaded.ts'
import type { ImportOptions, RowFault } from '../../jobs/job.ts'
import type { RawRow } from '../../sheets/read/model.ts'
import type { Change, Checked } from '../../write/values/values.ts'
import type { Decoded } from './decode.ts'
import type { Derive } from '../../write/values/derive.ts'
import type { Resolver } from './resolve.ts'
import type { Uniques } from './unique.ts'

/** A column of the sheet and the field it is mapped to. */
export interface PlanColumn {
  readonly index: number
  readonly header: string
  readonly field: LoadedField
  readonly empty: ImportOptions['empty']
  /** Of a key of several columns: where its values are, in key order. */
  readonly parts?: readonly PlanColumn[]
}
export interface Plan {
  readonly context: Context
  readonly entity: LoadedEntity
  readonly add: EntityAccess | null
  readonly update: EntityAccess | null
  readonly options: ImportOptions
  readonly columns: readonly PlanColumn[]
  /** The column of the key, for update and upsert. */
  readonly keyColumn: PlanColumn | null
  readonly from1904: boolean
  readonly resolver: Resolver
  readonly defaults: ReadonlyMap<string, WireValue>
  readonly derive: Derive
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
  readonly key: string | null
  stored: { readonly row: Row; readonly labelled: Row; readonly access: EntityAccess } | null
  readonly errors: RowFault[]
  changes: readonly Change[]
}
