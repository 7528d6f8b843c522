import type { Field } from '@jiaowu/api/entity/config'
import type { Locale } from '@jiaowu/api/locale'
import type { Values, WireValue } from '@jiaowu/api/entity/values'
import type { LookupPorts } from '@jiaowu/machines/lookup/ports'

/** Props of a prompt in a terminal form. */
export interface PromptProps {
  readonly tag: string
  readonly field: Field
  readonly value: WireValue
  /** All values of the form, for cascades. */
  readonly values: Values
  readonly isActive: boolean
  readonly onChange: (value: WireValue) => void
  readonly find: LookupPorts['find']
  readonly locale: Locale
  /** Reports an open list of choices: while it is open, it handles all keys. */
  readonly onOpen: (isOpen: boolean) => void
}
