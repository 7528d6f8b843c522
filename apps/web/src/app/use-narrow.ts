import { useSyncExternalStore } from 'react'

const query = () => matchMedia('(max-width: 768px)')
/** Whether the window is as narrow as a phone. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => query().matches)

function subscribe(listener: () => void) {
  const list = query()
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}
