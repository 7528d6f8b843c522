import type { Row } from '@jiaowu/api/entity/values'
import { type FocusEvent, type KeyboardEvent, useState } from 'react'

interface Keyed {
  readonly rows: readonly Row[]
  readonly canToggle: boolean
  readonly onToggle: (id: string) => void
  readonly onOpen?: (row: Row) => void
  readonly onEdit?: (row: Row) => void
}

/**
 * Keys of a table's rows, one of which is in the tab order: arrows, Home and End move, left and right
 * between cells; Space selects, Enter opens, E edits. Keys pressed inside a cell belong to the control
 * there.
 */
export function useRowKeys({ rows, canToggle, onToggle, onOpen, onEdit }: Keyed) {
  const [current, setCurrent] = useState<string | null>(null)
  const known = rows.some(({ id }) => id === current) ? current : (rows[0]?.id ?? null)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = rows.findIndex(({ id }) => id === findRowId(event.target))
    const row = rows[at]
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const to = findTargetRow(event.key, at, rows.length - 1)
    if (to !== null) focusRow(event.currentTarget, rows[to]?.id, findColumnName(event.target))
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
      focusCell(event.target, event.key === 'ArrowRight' ? 1 : -1)
    else if (event.key === ' ' && canToggle) onToggle(row.id)
    else if (event.key === 'Enter' && onOpen !== undefined) onOpen(row)
    else if (event.key.toLowerCase() === 'e' && onEdit !== undefined) onEdit(row)
    else if (event.key !== ' ') return
    event.preventDefault()
  }
  const onFocus = ({ target }: FocusEvent) => {
    const id = findRowId(target.closest('tr'))
    if (id !== null) setCurrent(id)
  }
  return {
    body: { onKeyDown, onFocus },
    tabIndexOf: ({ id }: Row): 0 | -1 => (id === known ? 0 : -1),
  }
}

function findRowId(element: EventTarget | null): string | null {
  const row =
    element instanceof HTMLTableCellElement && element.dataset.column !== undefined
      ? element.parentElement
      : element
  return row instanceof HTMLTableRowElement ? (row.dataset.row ?? null) : null
}

function findColumnName(element: EventTarget): string | undefined {
  return element instanceof HTMLTableCellElement ? element.dataset.column : undefined
}

/** The next cell of the row; before the first one the row itself. */
function focusCell(from: EventTarget, by: 1 | -1): void {
  const row = from instanceof HTMLElement ? from.closest('tr') : null
  const cells = [...(row?.querySelectorAll<HTMLElement>('td[data-column]') ?? [])]
  const at = cells.findIndex((cell) => cell === from) + by
  if (at < 0) row?.focus()
  else cells[Math.min(at, cells.length - 1)]?.focus()
}

function findTargetRow(key: string, at: number, last: number): number | null {
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

function focusRow(body: HTMLElement, id: string | undefined, column: string | undefined): void {
  const row = [...body.querySelectorAll<HTMLElement>('tr[data-row]')].find(
    ({ dataset }) => dataset.row === id,
  )
  const cell = [...(row?.querySelectorAll<HTMLElement>('td[data-column]') ?? [])].find(
    ({ dataset }) => dataset.column === column,
  )
  ;(cell ?? row)?.focus()
}
