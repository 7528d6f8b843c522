import { type PointerEvent, useEffect, useRef, useState } from 'react'

/** Where a pointer at this height would put an item: the first row whose middle lies below it. */
export const placeAt = (rows: readonly { readonly top: number; readonly height: number }[], y: number): number => {
  const below = rows.findIndex(({ top, height }) => y < top + height / 2)
  return below === -1 ? rows.length - 1 : below
}

/**
 * Rows put in another order by their grips, with mouse, pen or finger. The rows move under the hand, so that what is seen is what is let go of;
 * `onEnd` tells that it was (or, with false, that the hand was taken away).
 * (Libraries for it put style sheets into the page, which its policy refuses.)
 */
export const useReorder = (onMove: (from: number, to: number) => void, onEnd: (kept: boolean) => void = () => {}) => {
  const [held, setHeld] = useState<number | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const latest = useRef({ onMove, onEnd })
  useEffect(() => { latest.current = { onMove, onEnd } })
  useEffect(() => {
    if (held === null) return undefined
    const move = ({ clientY }: globalThis.PointerEvent) => {
      const to = placeAt([...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect()), clientY)
      // One place at a time: a jump over several rows would make them flicker.
      const next = to > held ? held + 1 : to < held ? held - 1 : held
      if (next !== held) { latest.current.onMove(held, next); setHeld(next) }
    }
    const drop = (event: Event) => { setHeld(null); latest.current.onEnd(event.type === 'pointerup') }
    // The row that is held moves in the page and would lose a captured pointer: the window does not.
    addEventListener('pointermove', move)
    addEventListener('pointerup', drop)
    addEventListener('pointercancel', drop)
    return () => { removeEventListener('pointermove', move); removeEventListener('pointerup', drop); removeEventListener('pointercancel', drop) }
  }, [held])
  return { held, list, grip: (index: number) => ({ onPointerDown: (event: PointerEvent) => { event.preventDefault(); setHeld(index) } }) }
}
