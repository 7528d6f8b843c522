import { useInput } from 'ink'
import { useState } from 'react'
import { Text } from './ui.tsx'

interface TextInputProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onSubmit?: () => void
  readonly isActive?: boolean
  readonly isSecret?: boolean
  readonly placeholder?: string
}

/** One line to type in: cursor keys, home and end, ^u ^k ^w, pasted text. Keys it has no use for are left to the screen. */
export function TextInput({
  value,
  onChange,
  onSubmit,
  isActive = true,
  isSecret = false,
  placeholder = '',
}: TextInputProps) {
  const [wanted, setCursor] = useState<number>(Number.MAX_SAFE_INTEGER)
  const letters = [...value]
  const at = Math.min(wanted, letters.length)
  const put = (before: readonly string[], after: readonly string[]) => {
    setCursor(after.length === 0 ? Number.MAX_SAFE_INTEGER : before.length)
    onChange([...before, ...after].join(''))
  }
  useInput(
    (input, key) => {
      const [before, after] = [letters.slice(0, at), letters.slice(at)]
      if (key.return) onSubmit?.()
      else if (key.leftArrow) setCursor(Math.max(0, at - 1))
      else if (key.rightArrow) setCursor(Math.min(letters.length, at + 1))
      else if (key.home || (key.ctrl && input === 'a')) setCursor(0)
      else if (key.end || (key.ctrl && input === 'e')) setCursor(Number.MAX_SAFE_INTEGER)
      else if (key.backspace) put(before.slice(0, -1), after)
      else if (key.delete) put(before, after.slice(1))
      else if (key.ctrl && input === 'u') put([], after)
      else if (key.ctrl && input === 'k') put(before, [])
      else if (key.ctrl && input === 'w') put([...before.join('').replace(/\S+\s*$/, '')], after)
      else if (
        !key.ctrl &&
        !key.meta &&
        !key.tab &&
        !key.escape &&
        !key.upArrow &&
        !key.downArrow &&
        !key.pageUp &&
        !key.pageDown &&
        input !== ''
      )
        put([...before, ...input.replace(/[\r\n]+/g, ' ')], after)
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
