import type { Field, Row, Values, WireValue } from '@jiaowu/api'
import type { ComponentType } from 'react'

/** What a control of a form gets. */
export interface ControlProps {
  readonly tag: string
  readonly field: Field
  readonly value: WireValue
  readonly disabled: boolean
  readonly invalid: boolean
  /** Of the sentence that says what is wrong. */
  readonly describedBy: string | undefined
  readonly id: string
  /** The whole form, for cascades. */
  readonly values: Values
  /** The row's id, or the one it will have. */
  readonly rowId: string | null
  readonly onChange: (value: WireValue) => void
  readonly onBlur: () => void
}
/** A field of the search form; what it holds is sent as it is. */
export interface QueryProps {
  readonly tag: string
  readonly field: Field
  readonly value: unknown
  readonly id: string
  readonly queries: Readonly<Record<string, unknown>>
  /** The name of an id that came without one, where it is known. */ readonly nameOf: (
    id: string,
  ) => string | undefined
  readonly onChange: (value: unknown) => void
}
/** A value in a list, one line high. */
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
