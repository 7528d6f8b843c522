import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

const threshold = 5 // a hand that trembles is no drag

interface Hand<What> {
  /** The pointer moved on, once it is a drag. */
  readonly onMove: (what: What, x: number, y: number) => void
  /** The hand let go; with false: before it was a drag, or it was taken away (Escape, a gesture of the system). */
  readonly onEnd: (what: What, kept: boolean) => void
}

/**
 * Something held by mouse, pen or finger and dragged about the window. Gives what takes it in hand at a pointerdown.
 * (Libraries for it put style sheets into the page, which its policy refuses.)
 */
export function usePointerDrag<What>(hand: Hand<What>) {
  const [held, setHeld] = useState<{
    readonly what: What
    readonly x: number
    readonly y: number
  } | null>(null)
  const latest = useRef(hand)
  latest.current = hand
  useEffect(() => {
    if (held === null) return undefined
    let isDrag = false
    const end = (isLetGo: boolean) => {
      setHeld(null)
      if (isDrag && isLetGo) swallowClick()
      latest.current.onEnd(held.what, isDrag && isLetGo)
    }
    const move = ({ clientX: x, clientY: y }: globalThis.PointerEvent) => {
      isDrag ||= Math.hypot(x - held.x, y - held.y) >= threshold
      // Drawn at once: what is let go of next is what was seen.
      if (isDrag) flushSync(() => latest.current.onMove(held.what, x, y))
    }
    // It ends the drag and nothing around it, such as the drawer the list stands in.
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.stopPropagation()
        end(false)
      }
    }
    const watching = new AbortController()
    const { signal } = watching
    // What is held may move in the page and would lose a captured pointer: the window does not.
    addEventListener('pointermove', move, { signal })
    addEventListener('pointerup', () => end(true), { signal })
    addEventListener('pointercancel', () => end(false), { signal })
    addEventListener('keydown', onKey, { signal, capture: true })
    return () => watching.abort()
  }, [held])
  return (what: What, event: PointerEvent): void => {
    if (event.button === 0) setHeld({ what, x: event.clientX, y: event.clientY })
  }
}

/** The click that follows a drag is no click. */
function swallowClick(): void {
  const swallow = (event: MouseEvent) => {
    event.stopPropagation()
    event.preventDefault()
  }
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }))
}
