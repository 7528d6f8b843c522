import { useSyncExternalStore } from 'react'

const queryNarrow = () => matchMedia('(max-width: 768px)')
/** Whether the window is as narrow as a phone. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => queryNarrow().matches)

function subscribe(listener: () => void) {
  const list = queryNarrow()
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}
