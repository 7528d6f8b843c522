import type { Message } from '@jiaowu/api/texts/index'
import type { entityListMachine } from '@jiaowu/machines/entity-list/machine'
import type { ActorRefFrom } from 'xstate'

export interface ListNotice {
  readonly tone: 'info' | 'success' | 'warning' | 'danger'
  readonly text: string | Message
  /** Number of the step that the notice offers to take back. */
  readonly undo?: number
}

/** The last messages of a list; they outlive a form that is shown in its place. */
export interface ListNotices {
  readonly say: (notice: ListNotice) => void
  readonly clear: () => void
  readonly read: () => readonly ListNotice[]
  readonly subscribe: (listener: () => void) => () => void
}

/** Lines that notices take on the screen at most. */
const mostNotices = 2

export function createListNotices(): ListNotices {
  let shown: readonly ListNotice[] = []
  const listeners = new Set<() => void>()
  const change = (next: readonly ListNotice[]) => {
    shown = next
    for (const listener of listeners) listener()
  }
  return {
    say: (notice) => change([...shown, notice].slice(-mostNotices)),
    clear: () => {
      if (shown.length > 0) change([])
    },
    read: () => shown,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** Shows what the list tells. Returns a function that stops it. */
export function listenForNotices(
  actor: ActorRefFrom<typeof entityListMachine>,
  notices: ListNotices,
): () => void {
  const { unsubscribe } = actor.on('toast', ({ tone, message, undo }) =>
    notices.say({ tone, text: message, ...(undo === undefined ? {} : { undo }) }),
  )
  return unsubscribe
}
