import { type PointerEvent, useRef, useState } from 'react'
import { usePointerDrag } from '../../ui/drag/use-pointer-drag.ts'

/** Dragged item: a field by its grip, a column of the table, or a new group. */
export type Dragged =
  | { readonly kind: 'field'; readonly id: string; readonly label: string }
  | { readonly kind: 'column'; readonly columnName: string; readonly label: string }
  | { readonly kind: 'group'; readonly label: string }
interface Drag {
  readonly what: Dragged
  /** Index of the gap between fields under the pointer, from 0; null: not over the list. */
  readonly gap: number | null
  readonly x: number
  readonly y: number
}
interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Gap for a pointer at height `y`: before the first row whose middle lies below it. */
export function gapAt(rows: readonly Pick<Box, 'top' | 'bottom'>[], y: number): number {
  const below = rows.findIndex(({ top, bottom }) => y < (top + bottom) / 2)
  return below === -1 ? rows.length : below
}

/**
 * Drag and drop onto the list of fields. By finger only the grip of a field drags, since the rest
 * scrolls. A drop is one edit, so one undo reverts it.
 */
export function useFieldDrag(onDrop: (what: Dragged, gap: number) => void) {
  const list = useRef<HTMLUListElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const startDrag = usePointerDrag<Dragged>({
    onMove: (what, x, y) => {
      const box = list.current
      const rows = [...(box?.querySelectorAll('[data-row]') ?? [])].map((row) =>
        row.getBoundingClientRect(),
      )
      setDrag({
        what,
        gap: box !== null && isInsideBox(box.getBoundingClientRect(), x, y) ? gapAt(rows, y) : null,
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
    if (what.kind === 'field' || event.pointerType !== 'touch') startDrag(what, event)
  }
  return { list, drag, take }
}

function isInsideBox({ left, right, top, bottom }: Box, x: number, y: number): boolean {
  return x >= left && x <= right && y >= top && y <= bottom
}

export type FieldDrag = ReturnType<typeof useFieldDrag>
