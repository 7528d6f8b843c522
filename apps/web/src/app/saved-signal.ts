// Reloads the lists of an entity when a form in another browser tab or window saved a row of it.
const channel =
  typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('jiaowu-saved')
const listeners = new Set<(tag: string) => void>()

/** Sent in place of an entity's tag after a decision on a case. */
export const todoSignal = 'flow.todo'

export function tellSaved(tag: string): void {
  for (const listener of listeners) listener(tag)
  channel?.postMessage(tag)
}
export function onSavedElsewhere(listener: (tag: string) => void): () => void {
  const fromChannel = ({ data }: MessageEvent) => listener(String(data))
  listeners.add(listener)
  channel?.addEventListener('message', fromChannel)
  return () => {
    listeners.delete(listener)
    channel?.removeEventListener('message', fromChannel)
  }
}
