import type { Field } from '@jiaowu/api/entity/config'
import type { Row, Values, WireValue } from '@jiaowu/api/entity/values'
import type { ComponentType } from 'react'

/** Props of a form control. */
export interface ControlProps {
  readonly tag: string
  readonly field: Field
  readonly value: WireValue
  readonly disabled: boolean
  readonly invalid: boolean
  /** Id of the element with the error message. */
  readonly describedBy: string | undefined
  readonly id: string
  /** Values of the whole form, for cascades. */
  readonly values: Values
  /** Id of the row, or the id reserved for a new row. */
  readonly rowId: string | null
  readonly onChange: (value: WireValue) => void
  readonly onBlur: () => void
}
/** Props of a search form field; its value is sent to the server unchanged. */
export interface QueryProps {
  readonly tag: string
  readonly field: Field
  readonly value: unknown
  readonly id: string
  readonly queries: Readonly<Record<string, unknown>>
  /** Name for an id that came without one, if known. */
  readonly nameOf: (id: string) => string | undefined
  readonly onChange: (value: unknown) => void
}
/** Props of a table cell, one line high. */
export interface CellProps {
  readonly tag: string
  readonly field: Field
  readonly value: WireValue | undefined
  readonly row: Row
}
export interface FieldSurface {
  readonly Control: ComponentType<ControlProps>
  readonly Query: ComponentType<QueryProps>
  readonly Cell: ComponentType<CellProps>
  readonly Show: ComponentType<CellProps>
}
