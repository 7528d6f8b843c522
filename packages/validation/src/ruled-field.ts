import type { Field } from '@jiaowu/api/entity/config'
import type { Message } from '@jiaowu/api/texts/index'

/** The parts of a field that validation reads; definitions and configs both have them. */
export type RuledField = Pick<Field, 'attrName' | 'uiType' | 'valids' | 'options'> &
  Partial<Pick<Field, 'pii'>>

/** A broken rule of a field, with its message as data. */
export interface FieldFault {
  readonly rule: string
  readonly message: Message
}

/** A field whose text is read: definitions and configurations both have these parts. */
export type TypedField = RuledField
