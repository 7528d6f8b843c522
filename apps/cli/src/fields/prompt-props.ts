import type { Field, Locale, Values, WireValue } from '@jiaowu/api'
import type { LookupPorts } from '@jiaowu/machines'

/** What a field's prompt gets. */
export interface PromptProps {
  readonly tag: string
  readonly field: Field
  readonly value: WireValue
  /** All values of the form: choices may depend on others. */
  readonly values: Values
  readonly isActive: boolean
  readonly onChange: (value: WireValue) => void
  readonly find: LookupPorts['find']
  readonly locale: Locale
  /** While a list of choices is open, the keys are its. */
  readonly onOpen: (isOpen: boolean) => void
}
