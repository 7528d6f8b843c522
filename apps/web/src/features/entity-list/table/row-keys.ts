import type { Row } from '@jiaowu/api'
import { type FocusEvent, type KeyboardEvent, useState } from 'react'

interface Keyed {
  readonly rows: readonly Row[]
  readonly canToggle: boolean
  readonly onToggle: (id: string) => void
  readonly onOpen?: (row: Row) => void
  readonly onEdit?: (row: Row) => void
}

/**
 * Keys of a table's rows, one of which is in the tab order: arrows, Home and End move, Space
 * selects, Enter opens, E edits. Keys pressed inside a row belong to the control there.
 */
export function useRowKeys({ rows, canToggle, onToggle, onOpen, onEdit }: Keyed) {
  const [current, setCurrent] = useState<string | null>(null)
  const known = rows.some(({ id }) => id === current) ? current : (rows[0]?.id ?? null)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = rows.findIndex(({ id }) => id === idOf(event.target))
    const row = rows[at]
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const to = targetOf(event.key, at, rows.length - 1)
    if (to !== null) focusRow(event.currentTarget, rows[to]?.id)
    else if (event.key === ' ' && canToggle) onToggle(row.id)
    else if (event.key === 'Enter' && onOpen !== undefined) onOpen(row)
    else if (event.key.toLowerCase() === 'e' && onEdit !== undefined) onEdit(row)
    else if (event.key !== ' ') return
    event.preventDefault()
  }
  const onFocus = ({ target }: FocusEvent) => {
    const id = idOf(target.closest('tr'))
    if (id !== null) setCurrent(id)
  }
  return {
    body: { onKeyDown, onFocus },
    tabIndexOf: ({ id }: Row): 0 | -1 => (id === known ? 0 : -1),
  }
}

function idOf(element: EventTarget | null): string | null {
  return element instanceof HTMLTableRowElement ? (element.dataset.row ?? null) : null
}

function targetOf(key: string, at: number, last: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, at + 1)
    case 'ArrowUp':
      return Math.max(0, at - 1)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}

function focusRow(body: HTMLElement, id: string | undefined): void {
  const row = [...body.querySelectorAll<HTMLElement>('tr[data-row]')].find(
    ({ dataset }) => dataset.row === id,
  )
  row?.focus()
}
