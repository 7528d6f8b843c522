import { type PointerEvent, useRef, useState } from 'react'
import { usePointerDrag } from '../../ui/use-pointer-drag.ts'

/** What is dragged: a field by its grip, a column of the table, or a new group. */
export type Dragged =
  | { readonly kind: 'field'; readonly id: string; readonly label: string }
  | { readonly kind: 'column'; readonly columnName: string; readonly label: string }
  | { readonly kind: 'group'; readonly label: string }
interface Drag {
  readonly what: Dragged
  /** The gap between fields it would fall into, from 0; null: not over the list. */ readonly gap:
    | number
    | null
  readonly x: number
  readonly y: number
}
interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The gap a pointer points at: before the first row whose middle lies below it. */
export function gapAt(rows: readonly Pick<Box, 'top' | 'bottom'>[], y: number): number {
  const below = rows.findIndex(({ top, bottom }) => y < (top + bottom) / 2)
  return below === -1 ? rows.length : below
}

/** Drags onto the list of fields; by finger only a field's grip, since the others scroll. One drop is one edit, so that it is undone at once. */
export function useFieldDrag(onDrop: (what: Dragged, gap: number) => void) {
  const list = useRef<HTMLUListElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const hold = usePointerDrag<Dragged>({
    onMove: (what, x, y) => {
      const box = list.current
      const rows = [...(box?.querySelectorAll('[data-row]') ?? [])].map((row) =>
        row.getBoundingClientRect(),
      )
      setDrag({
        what,
        gap: box !== null && within(box.getBoundingClientRect(), x, y) ? gapAt(rows, y) : null,
        x,
        y,
      })
    },
    onEnd: (what, kept) => {
      setDrag(null)
      if (kept && drag !== null && drag.gap !== null) onDrop(what, drag.gap)
    },
  })
  const take = (what: Dragged) => (event: PointerEvent) => {
    if (what.kind === 'field') event.preventDefault()
    if (what.kind === 'field' || event.pointerType !== 'touch') hold(what, event)
  }
  return { list, drag, take }
}

function within({ left, right, top, bottom }: Box, x: number, y: number): boolean {
  return x >= left && x <= right && y >= top && y <= bottom
}

export type FieldDrag = ReturnType<typeof useFieldDrag>
