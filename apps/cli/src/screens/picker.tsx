import { Box } from 'ink'
import { useState } from 'react'
import { Text } from './ui.tsx'
import { useKeys } from './keys-held.ts'

interface Choice<T> {
  readonly value: T
  readonly label: string
  readonly hint?: string
}
interface PickerProps<T> {
  readonly title: string
  readonly choices: readonly Choice<T>[]
  readonly current: T
  readonly onPick: (value: T) => void
  readonly onClose: () => void
  readonly lines?: number
}

/**
 * Choice from a short list: arrows move, typing filters, Enter chooses, Esc closes without a
 * change.
 */
export function Picker<T>({
  title,
  choices,
  current,
  onPick,
  onClose,
  lines = 12,
}: PickerProps<T>) {
  const [search, setSearch] = useState('')
  const found = choices.filter(({ label, hint = '' }) =>
    `${label} ${hint}`.toLowerCase().includes(search.toLowerCase()),
  )
  const [wanted, setAt] = useState(
    Math.max(
      0,
      choices.findIndex(({ value }) => value === current),
    ),
  )
  const at = Math.min(wanted, Math.max(0, found.length - 1))
  const from = Math.max(0, Math.min(at - Math.floor(lines / 2), found.length - lines))
  useKeys((input, key) => {
    if (key.escape) onClose()
    else if (key.return) {
      const chosen = found[at]
      if (chosen !== undefined) onPick(chosen.value)
    } else if (key.upArrow) setAt(Math.max(0, at - 1))
    else if (key.downArrow) setAt(Math.min(found.length - 1, at + 1))
    else if (key.backspace || key.delete) {
      setSearch(search.slice(0, -1))
      setAt(0)
    } else if (!key.ctrl && !key.meta && !key.tab && input !== '') {
      setSearch(search + input)
      setAt(0)
    }
  })
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="cyan" paddingX={1}>
      <Text bold>
        {title}
        {search === '' ? '' : `  /${search}`}
      </Text>
      {found.slice(from, from + lines).map(({ label, hint }, index) => (
        <Text key={`${label} ${hint ?? ''}`} inverse={from + index === at}>
          {from + index === at ? '❯ ' : '  '}
          {label}
          {hint === undefined ? '' : `  ${hint}`}
        </Text>
      ))}
    </Box>
  )
}
