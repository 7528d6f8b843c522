import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

const threshold = 5 // pixels the pointer must move before it counts as a drag

interface Listeners<What> {
  /** The pointer moved during a drag; `x` and `y` are client coordinates. */
  readonly onMove: (what: What, x: number, y: number) => void
  /**
   * The pointer was released. `kept` is false below the threshold and after Escape or a system
   * gesture.
   */
  readonly onEnd: (what: What, kept: boolean) => void
}

/**
 * Dragging by mouse, pen or finger. Returns the function that starts the drag, for `onPointerDown`.
 * Hand-written because drag libraries inject style sheets, which the content security policy
 * forbids.
 */
export function usePointerDrag<What>(listeners: Listeners<What>) {
  const [held, setHeld] = useState<{
    readonly what: What
    readonly x: number
    readonly y: number
  } | null>(null)
  const latest = useRef(listeners)
  latest.current = listeners
  useEffect(() => {
    if (held === null) return undefined
    let isDrag = false
    const end = (isRelease: boolean) => {
      setHeld(null)
      if (isDrag && isRelease) swallowClick()
      latest.current.onEnd(held.what, isDrag && isRelease)
    }
    const move = ({ clientX: x, clientY: y }: globalThis.PointerEvent) => {
      isDrag ||= Math.hypot(x - held.x, y - held.y) >= threshold
      // Render synchronously, so that a release acts on what the user saw.
      if (isDrag) flushSync(() => latest.current.onMove(held.what, x, y))
    }
    // Escape ends only the drag, not the drawer around the list.
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.stopPropagation()
        end(false)
      }
    }
    const subscriptions = new AbortController()
    const { signal } = subscriptions
    // Listen on the window: the dragged element may move in the page and lose a captured pointer.
    addEventListener('pointermove', move, { signal })
    addEventListener('pointerup', () => end(true), { signal })
    addEventListener('pointercancel', () => end(false), { signal })
    addEventListener('keydown', onKey, { signal, capture: true })
    return () => subscriptions.abort()
  }, [held])
  return (what: What, event: PointerEvent): void => {
    if (event.button === 0) setHeld({ what, x: event.clientX, y: event.clientY })
  }
}

/** Suppresses the click event that browsers fire after a drag. */
function swallowClick(): void {
  const swallow = (event: MouseEvent) => {
    event.stopPropagation()
    event.preventDefault()
  }
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }))
}
