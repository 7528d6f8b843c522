import { Refusal } from '../refusal.ts'

const longestQueue = 20

/**
 * Runs tasks with the same key one after another; tasks with different keys run concurrently.
 * @throws Refusal 503 when 20 tasks of the key are waiting
 */
export function createKeyedQueue() {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length > longestQueue)
      throw new Refusal(503, { key: 'problem.unavailable' }, { retryAfter: 5 })
    queue.length += 1
    const task = queue.last.then(work)
    // The next task runs also after a failure of this one.
    queue.last = task.then(
      () => undefined,
      () => undefined,
    )
    queues.set(key, queue)
    try {
      return await task
    } finally {
      queue.length -= 1
      if (queue.length === 0) queues.delete(key)
    }
  }
}
