import { useCallback, useEffect, useMemo, useRef } from 'react'

/** A page in the background paints no frame. */
const hiddenMs = 250

export interface AfterPaint {
  /** Runs the work after the next frame was painted; work that still waits runs at once. */
  readonly later: (work: () => void) => void
  /** Runs the work that waits; whether there was any. */
  readonly flush: () => boolean
}

/** Work that the reader need not wait for, such as the address: a change is painted before it. */
export function useAfterPaint(): AfterPaint {
  const waiting = useRef<(() => void) | null>(null)
  const flush = useCallback(() => {
    const run = waiting.current
    waiting.current = null
    run?.()
    return run !== null
  }, [])
  const later = useCallback(
    (work: () => void) => {
      flush()
      let painted: ReturnType<typeof setTimeout> | undefined
      const frame = requestAnimationFrame(() => {
        painted = setTimeout(flush)
      })
      const hidden = setTimeout(flush, hiddenMs)
      waiting.current = () => {
        cancelAnimationFrame(frame)
        clearTimeout(painted)
        clearTimeout(hidden)
        work()
      }
    },
    [flush],
  )
  useEffect(
    () => () => {
      flush()
    },
    [flush],
  )
  return useMemo(() => ({ later, flush }), [later, flush])
}
