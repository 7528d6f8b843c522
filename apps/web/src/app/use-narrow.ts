import { useLayoutEffect, useSyncExternalStore } from 'react'

const queryNarrow = () => matchMedia('(max-width: 768px)')
/** Whether the window is as narrow as a phone. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => queryNarrow().matches)

function subscribe(listener: () => void) {
  const list = queryNarrow()
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}

const held = { layers: 0, narrow: false }
const listeners = new Set<() => void>()

/**
 * The same for components that show others on a phone: while a drawer or dialog is open they stay as they are, since
 * what is open, chosen and typed may hang below them. They follow when the last one is closed.
 */
export const useNarrowLayout = (): boolean =>
  useSyncExternalStore(subscribeLayout, () =>
    held.layers > 0 ? held.narrow : queryNarrow().matches,
  )

function subscribeLayout(listener: () => void) {
  listeners.add(listener)
  const leave = subscribe(listener)
  return () => {
    listeners.delete(listener)
    leave()
  }
}

/** Holds the layout of the pages below an open drawer or dialog. */
export function useHeldLayout(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    if (held.layers === 0) held.narrow = queryNarrow().matches
    held.layers += 1
    return () => {
      held.layers -= 1
      if (held.layers === 0) for (const listener of listeners) listener()
    }
  }, [isOpen])
}
