import { type PointerEvent, useRef, useState } from 'react'
import { usePointerDrag } from './use-pointer-drag.ts'

/** Index for an item dragged to height `y`: the first row whose middle lies below the pointer. */
export function placeAt(
  rows: readonly { readonly top: number; readonly height: number }[],
  y: number,
): number {
  const below = rows.findIndex(({ top, height }) => y < top + height / 2)
  return below === -1 ? rows.length - 1 : below
}

/**
 * Reordering of a list by dragging grips. Rows move during the drag, so the user drops what is
 * visible; Escape moves the row back. `onEnd` gets true if the row ended at another place.
 */
export function useReorder(
  onMove: (from: number, to: number) => void,
  onEnd: (kept: boolean) => void = () => {},
) {
  const [held, setHeld] = useState<number | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const move = (from: number, to: number) => {
    onMove(from, to)
    setHeld(to)
  }
  const take = usePointerDrag<number>({
    onMove: (_start, _x, y) => {
      const to = placeAt(
        [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect()),
        y,
      )
      // Move one place per event: a jump over several rows would make them flicker.
      if (held !== null && to !== held) move(held, held + Math.sign(to - held))
    },
    onEnd: (start, kept) => {
      if (!kept && held !== null && held !== start) move(held, start)
      setHeld(null)
      onEnd(kept && held !== start)
    },
  })
  const grip = (index: number) => ({
    onPointerDown: (event: PointerEvent) => {
      event.preventDefault()
      if (event.button === 0) setHeld(index)
      take(index, event)
    },
  })
  return { held, list, grip }
}
