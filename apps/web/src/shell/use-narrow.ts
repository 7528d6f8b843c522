import { useSyncExternalStore } from 'react'

const query = () => matchMedia('(max-width: 768px)')
/** A phone, or a window as narrow as one. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => query().matches)

function subscribe(listener: () => void) {
  const list = query()
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}
