import { type PointerEvent, useRef, useState } from 'react'
import { usePointerDrag } from './use-pointer-drag.ts'

/** Where a pointer at this height would put an item: the first row whose middle lies below it. */
export function placeAt(
  rows: readonly { readonly top: number; readonly height: number }[],
  y: number,
): number {
  const below = rows.findIndex(({ top, height }) => y < top + height / 2)
  return below === -1 ? rows.length - 1 : below
}

/**
 * Rows put in another order by their grips. The rows move under the hand, so that what is seen is what is let go of; Escape moves the row
 * back. `onEnd` tells whether it stands elsewhere now.
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
      // One place at a time: a jump over several rows would make them flicker.
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
