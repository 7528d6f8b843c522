import { setTimeout as sleep } from 'node:timers/promises'

const quietMs = 100
const longestWaitMs = 2_000

/** Counts the requests being answered, for a shutdown that loses none of them. */
export function createInFlight() {
  let [inFlight, seen] = [0, 0]
  let waiting: (() => void)[] = []
  /** Resolves when nothing is in flight. */
  const idle = () =>
    new Promise<void>((resolve) => {
      if (inFlight === 0) resolve()
      else waiting.push(resolve)
    })
  return {
    track: async <T>(work: Promise<T>): Promise<T> => {
      inFlight += 1
      seen += 1
      try {
        return await work
      } finally {
        inFlight -= 1
        if (inFlight === 0) {
          for (const resolve of waiting) resolve()
          waiting = []
        }
      }
    },
    idle,
    /**
     * Resolves when nothing is in flight and no request has arrived for 100 ms, so that clients
     * have seen the 503 and left. Waits two seconds at most for new requests to cease.
     */
    quiet: async (): Promise<void> => {
      const until = performance.now() + longestWaitMs
      let before: number
      do {
        before = seen
        await sleep(quietMs)
      } while (seen > before && performance.now() < until)
      await idle()
    },
  }
}
