import type { QueuePlace } from '@jiaowu/api/client/queue-place'
import { useSyncExternalStore } from 'react'

let current: QueuePlace | null = null
const listeners = new Set<() => void>()

export function tellPlace(place: QueuePlace | null): void {
  current = place
  for (const listener of listeners) listener()
}

/** The place of the sign-in of this tab while it waits for its turn. */
export function useQueuePlace(): QueuePlace | null {
  return useSyncExternalStore(subscribe, () => current)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
