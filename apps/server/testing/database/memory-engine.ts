import type { PGlite } from '@electric-sql/pglite'
import type { Engine, Receiver } from '../../src/platform/database/embedded/engine.ts'
import {
  exchangeMessages,
  resetSession,
} from '../../src/platform/database/embedded/pglite-session.ts'

/** The embedded engine without thread and disk; sessions and protocol are the same. */
export function memoryEngine(pg: PGlite): Engine & { stop(): Promise<void> } {
  const receivers = new Map<number, Receiver>()
  let lastSession = 0
  let queue = Promise.resolve()
  let stopped = false
  const enqueue = (work: () => Promise<unknown>) => {
    queue = queue.then(async () => {
      await work()
    })
  }
  return {
    ready: () => pg.waitReady,
    open: (receiver) => {
      lastSession += 1
      receivers.set(lastSession, receiver)
      return lastSession
    },
    send: (session, messages) =>
      enqueue(async () => {
        const receiver = receivers.get(session)
        if (receiver) await exchangeMessages(pg, messages, (bytes) => receiver.receive(bytes))
      }),
    end: (session) => {
      if (receivers.delete(session) && !stopped) enqueue(() => resetSession(pg))
    },
    stop: async () => {
      stopped = true
      await queue
      await pg.close()
    },
  }
}
