import type { PGlite } from '@electric-sql/pglite'
import type { Engine, Receiver } from '../src/platform/database/embedded/engine.ts'
import { converse, resetSession } from '../src/platform/database/embedded/pglite-session.ts'

/** The embedded engine without its thread and its disk: the same sessions, spoken to in the same protocol. */
export function memoryEngine(pg: PGlite): Engine & { stop(): Promise<void> } {
  const receivers = new Map<number, Receiver>()
  let lastSession = 0
  let queue = Promise.resolve()
  let stopped = false
  const later = (work: () => Promise<unknown>) => {
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
      later(async () => {
        const receiver = receivers.get(session)
        if (receiver) await converse(pg, messages, (bytes) => receiver.receive(bytes))
      }),
    end: (session) => {
      if (receivers.delete(session) && !stopped) later(() => resetSession(pg))
    },
    stop: async () => {
      stopped = true
      await queue
      await pg.close()
    },
  }
}
