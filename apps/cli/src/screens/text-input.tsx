import { type Key } from 'ink'
import { useState } from 'react'
import { Text } from './ui.tsx'
import { useKeys } from './keys-held.ts'

interface TextInputProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onSubmit?: () => void
  readonly isActive?: boolean
  readonly isSecret?: boolean
  readonly placeholder?: string
}

const atEnd = Number.MAX_SAFE_INTEGER

/**
 * Single-line input: cursor keys, Home and End, ^a ^e ^u ^k ^w, pasted text. Leaves other keys to
 * the screen.
 */
export function TextInput({
  value,
  onChange,
  onSubmit,
  isActive = true,
  isSecret = false,
  placeholder = '',
}: TextInputProps) {
  const [wanted, setCursor] = useState<number>(atEnd)
  const letters = [...value]
  const at = Math.min(wanted, letters.length)
  useKeys(
    (input, key) => {
      if (key.return) {
        onSubmit?.()
        return
      }
      const moved = cursorAfter(input, key, at)
      if (moved !== null) {
        setCursor(moved === atEnd ? atEnd : Math.min(moved, letters.length))
        return
      }
      const edited = applyEditKey(input, key, letters.slice(0, at), letters.slice(at))
      if (edited === null) return
      const [before, after] = edited
      setCursor(after.length === 0 ? atEnd : before.length)
      onChange([...before, ...after].join(''))
    },
    { isActive },
  )
  if (value === '' && !isActive)
    return <Text dimColor>{placeholder === '' ? '-' : placeholder}</Text>
  const shown = isSecret ? letters.map(() => '•') : letters
  if (!isActive) return <Text>{shown.join('')}</Text>
  return (
    <Text>
      {shown.slice(0, at).join('')}
      <Text inverse>{shown[at] ?? ' '}</Text>
      {shown.slice(at + 1).join('')}
      {value === '' ? <Text dimColor> {placeholder}</Text> : ''}
    </Text>
  )
}

/** New cursor position for a key that moves the cursor; null for other keys. */
function cursorAfter(input: string, key: Key, at: number): number | null {
  if (key.leftArrow) return Math.max(0, at - 1)
  if (key.rightArrow) return at + 1
  if (key.home || (key.ctrl && input === 'a')) return 0
  if (key.end || (key.ctrl && input === 'e')) return atEnd
  return null
}

type Letters = readonly string[]

/**
 * Letters before and after the cursor once a key has edited the text; null for keys that edit
 * nothing.
 */
function applyEditKey(
  input: string,
  key: Key,
  before: Letters,
  after: Letters,
): readonly [Letters, Letters] | null {
  if (key.backspace) return [before.slice(0, -1), after]
  if (key.delete) return [before, after.slice(1)]
  if (key.ctrl) return applyControlKey(input, before, after)
  if (input === '' || isCommand(key)) return null
  return [[...before, ...input.replace(/[\r\n]+/g, ' ')], after]
}

/** ^u deletes to the start, ^k to the end, ^w the word before the cursor. */
function applyControlKey(input: string, before: Letters, after: Letters) {
  if (input === 'u') return [[], after] as const
  if (input === 'k') return [before, []] as const
  if (input === 'w') return [[...before.join('').replace(/\S+\s*$/, '')], after] as const
  return null
}

/** Keys that belong to the screen around the input. */
function isCommand(key: Key): boolean {
  return (
    key.meta || key.tab || key.escape || key.upArrow || key.downArrow || key.pageUp || key.pageDown
  )
}
