import type { KeyboardEvent } from 'react'

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_at, count) => count - 1,
}

/** Moves the focus by arrow keys, Home and End among the items of a list with one tab stop. */
export function moveFocusByKey(event: KeyboardEvent<HTMLElement>, selector: string): void {
  const step = event.altKey || event.ctrlKey || event.metaKey ? undefined : steps[event.key]
  if (step === undefined) return
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = items.indexOf(event.target as HTMLElement)
  if (at === -1) return
  event.preventDefault()
  items[step(at, items.length)]?.focus()
}
