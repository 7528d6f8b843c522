import { Box, type Key, Text as InkText, type TextProps } from 'ink'
import { Children, type ReactNode } from 'react'
import { clean } from '../terminal/terminal-text.ts'
import { useKeys } from './keys-held.ts'

/**
 * Text of a screen, without the control sequences that text of a server may contain
 * (docs/rules/security.md#t1).
 */
export function Text({ children, ...props }: TextProps) {
  return (
    <InkText {...props}>
      {Children.map(children, (child) => (typeof child === 'string' ? clean(child) : child))}
    </InkText>
  )
}

/**
 * Name of a key, for display and comparison: `enter`, `esc`, `tab`, `↑`, `^s`, or the character.
 */
export function keyName(input: string, key: Key): string {
  if (key.return) return 'enter'
  if (key.escape) return 'esc'
  if (key.tab) return key.shift ? 'shift-tab' : 'tab'
  if (key.upArrow) return '↑'
  if (key.downArrow) return '↓'
  if (key.leftArrow) return '←'
  if (key.rightArrow) return '→'
  if (key.pageUp) return 'pgup'
  if (key.pageDown) return 'pgdn'
  if (key.ctrl) return `^${input}`
  return input === ' ' ? 'space' : input
}

/** A key with its action. */
export interface Binding {
  readonly key: string
  /** Empty: the key works but is not listed. */
  readonly label: string
  readonly run: () => void
}

/**
 * A list with the binding if it is possible, else an empty list, so that screens list exactly the
 * keys that work.
 */
export function offer(
  possible: boolean,
  key: string,
  label: string,
  run: () => void,
): readonly Binding[] {
  return possible ? [{ key, label, run }] : []
}

/** Runs the action of a pressed key. */
export function useBindings(bindings: readonly Binding[], isActive = true): void {
  useKeys(
    (input, key) => {
      bindings.find((each) => each.key === keyName(input, key))?.run()
    },
    { isActive },
  )
}

export function Keys({ bindings }: { readonly bindings: readonly Binding[] }) {
  return (
    <Box flexWrap="wrap" columnGap={2} marginTop={1}>
      {bindings
        .filter(({ label }) => label !== '')
        .map(({ key, label }) => (
          <Box key={key}>
            <Text bold color="cyan">
              {key}
            </Text>
            <Text> {label}</Text>
          </Box>
        ))}
    </Box>
  )
}

/** Progress bar of `width` columns; empty and without a number if `percent` is null. */
export function Bar({
  percent,
  width = 40,
}: {
  readonly percent: number | null
  readonly width?: number
}) {
  const full = Math.round(((percent ?? 0) / 100) * width)
  return (
    <Text>
      <Text color="cyan">{'█'.repeat(full)}</Text>
      <Text dimColor>{'░'.repeat(width - full)}</Text>
      {percent === null ? '' : ` ${percent}%`}
    </Text>
  )
}

export function Fault({ children }: { readonly children: ReactNode }) {
  return <Text color="red">✗ {children}</Text>
}
