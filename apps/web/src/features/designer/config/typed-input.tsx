import {
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  useEffect,
  useId,
  useState,
} from 'react'
import type { Choice } from './rows.ts'

interface Props {
  readonly id?: string
  readonly label: string
  readonly value: string
  readonly lines?: number
  readonly mono?: boolean
  readonly placeholder?: string
  readonly inputMode?: 'numeric'
  readonly invalid?: boolean
  readonly describedBy?: string | undefined
  readonly suggestions?: readonly Choice[]
  /** Called with the current text on each change. */
  readonly onType?: (value: string) => void
  readonly onCommit: (value: string) => void
}

/**
 * Text input that commits one edit on blur or Enter (Ctrl+Enter with several lines); Escape
 * restores the value.
 */
export function TypedInput({
  id,
  label,
  value,
  lines = 1,
  mono = false,
  placeholder,
  inputMode,
  invalid = false,
  describedBy,
  suggestions = [],
  onType,
  onCommit,
}: Props) {
  const [text, setText] = useState(value)
  const listId = useId()
  useEffect(() => setText(value), [value])
  const shared = {
    ...(id === undefined ? {} : { id }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(inputMode === undefined ? {} : { inputMode }),
    'aria-label': label,
    'aria-invalid': invalid,
    'aria-describedby': describedBy,
    value: text,
    spellCheck: false,
    autoComplete: 'off',
    className: `bp6-input bp6-fill${mono ? ' is-mono' : ''}${invalid ? ' bp6-intent-danger' : ''}`,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setText(event.currentTarget.value)
      onType?.(event.currentTarget.value)
    },
    onBlur: (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      if (event.currentTarget.value !== value) onCommit(event.currentTarget.value)
    },
    onKeyDown: (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      if (event.key === 'Escape' && text !== value) {
        event.stopPropagation()
        setText(value)
        onType?.(value)
      }
      if (
        event.key === 'Enter' &&
        (lines === 1 || event.ctrlKey) &&
        !event.nativeEvent.isComposing
      ) {
        event.preventDefault()
        if (text !== value) onCommit(text)
      }
    },
  }
  if (lines > 1) return <textarea rows={lines} {...shared} />
  return (
    <>
      <input type="text" {...shared} {...(suggestions.length === 0 ? {} : { list: listId })} />
      {suggestions.length === 0 ? null : (
        <datalist id={listId}>
          {suggestions.map((item) => (
            <option key={item.value} value={item.value}>
              {item.text}
            </option>
          ))}
        </datalist>
      )}
    </>
  )
}
