import { type PointerEvent, useEffect, useRef, useState } from 'react'

/** What is dragged: a field by its grip, a column of the table, or a new group. */
export type Dragged = { readonly kind: 'field'; readonly id: string; readonly label: string } | { readonly kind: 'column'; readonly columnName: string; readonly label: string } | { readonly kind: 'group'; readonly label: string }
interface Drag { readonly what: Dragged; /** The gap between fields it would fall into, from 0; null: not over the list. */ readonly gap: number | null; readonly x: number; readonly y: number }
interface Box { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }

/** A hand that trembles is no drag. */
const threshold = 5

/** The gap a pointer points at: before the first row whose middle lies below it. */
export const gapAt = (rows: readonly Pick<Box, 'top' | 'bottom'>[], y: number): number => {
  const below = rows.findIndex(({ top, bottom }) => y < (top + bottom) / 2)
  return below === -1 ? rows.length : below
}
const within = ({ left, right, top, bottom }: Box, x: number, y: number): boolean => x >= left && x <= right && y >= top && y <= bottom

/**
 * Drags onto the list of fields by mouse, pen or (by the grip) finger. One drop is one edit, so that it is undone at once.
 * (Libraries for it put style sheets into the page, which its policy refuses.)
 */
export const useFieldDrag = (onDrop: (what: Dragged, gap: number) => void) => {
  const list = useRef<HTMLUListElement>(null)
  const [held, setHeld] = useState<{ readonly what: Dragged; readonly x: number; readonly y: number } | null>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const latest = useRef({ onDrop, drag })
  latest.current = { onDrop, drag }
  useEffect(() => {
    if (held === null) return undefined
    const move = ({ clientX: x, clientY: y }: globalThis.PointerEvent) => {
      if (latest.current.drag === null && Math.hypot(x - held.x, y - held.y) < threshold) return
      const box = list.current
      const rows = [...(box?.querySelectorAll('[data-row]') ?? [])].map((row) => row.getBoundingClientRect())
      setDrag({ what: held.what, gap: box !== null && within(box.getBoundingClientRect(), x, y) ? gapAt(rows, y) : null, x, y })
    }
    const end = () => { setHeld(null); setDrag(null) }
    // The click that follows a drag is no click.
    const swallow = (event: MouseEvent) => { event.stopPropagation(); event.preventDefault() }
    const drop = () => {
      const { drag: now } = latest.current
      end()
      if (now === null) return
      addEventListener('click', swallow, { capture: true, once: true })
      setTimeout(() => removeEventListener('click', swallow, { capture: true }))
      if (now.gap !== null) latest.current.onDrop(now.what, now.gap)
    }
    const onKey = (event: KeyboardEvent) => { if (event.key === 'Escape') end() }
    addEventListener('pointermove', move)
    addEventListener('pointerup', drop)
    addEventListener('pointercancel', end)
    addEventListener('keydown', onKey)
    return () => { removeEventListener('pointermove', move); removeEventListener('pointerup', drop); removeEventListener('pointercancel', end); removeEventListener('keydown', onKey) }
  }, [held])
  const take = (what: Dragged) => (event: PointerEvent) => {
    if (event.button !== 0 || (what.kind !== 'field' && event.pointerType === 'touch')) return
    if (what.kind === 'field') event.preventDefault()
    setHeld({ what, x: event.clientX, y: event.clientY })
  }
  return { list, drag, take }
}
export type FieldDrag = ReturnType<typeof useFieldDrag>
