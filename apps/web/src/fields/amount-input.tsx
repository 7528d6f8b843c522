import { InputGroup, type InputGroupProps } from '@blueprintjs/core'
import type { Field } from '@jiaowu/api/entity/config'
import type { WireValue } from '@jiaowu/api/entity/values'
import { yuanText } from '@jiaowu/api/fields/money'
import { sentValue } from '@jiaowu/validation'
import { useState } from 'react'

interface Props extends Omit<InputGroupProps, 'value' | 'onChange' | 'onValueChange'> {
  readonly field: Field
  /** Fen, or text that is no amount. */
  readonly value: unknown
  readonly onAmount: (value: WireValue) => void
}

/**
 * An amount, typed and shown in yuan. While it has the focus the text stays as it is typed; a value from
 * elsewhere replaces it.
 */
export function AmountInput({ field, value, onAmount, onBlur, ...rest }: Props) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: unknown } | null>(null)
  return (
    <InputGroup
      {...rest}
      inputMode="decimal"
      leftElement={
        <span className="jw-unit" aria-hidden>
          ¥
        </span>
      }
      value={typed !== null && typed.of === (value ?? null) ? typed.text : yuanText(value)}
      onValueChange={(text) => {
        const sent = sentValue(field, text)
        setTyped({ text, of: sent })
        onAmount(sent)
      }}
      onBlur={(event) => {
        setTyped(null)
        onBlur?.(event)
      }}
    />
  )
}
