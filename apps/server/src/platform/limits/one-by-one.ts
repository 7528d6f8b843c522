import { Refusal } from '../refusal.ts'

const longest = 20

/** Runs work of the same key one after another, so that each sees what the one before it left. @throws Refusal 503 when 20 wait */
export function createQueues() {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length > longest)
      throw new Refusal(503, { key: 'problem.unavailable' }, { retryAfter: 5 })
    queue.length += 1
    const mine = queue.last.then(work)
    queue.last = mine.then(
      () => undefined,
      () => undefined,
    ) // the next one runs whatever became of this one
    queues.set(key, queue)
    try {
      return await mine
    } finally {
      queue.length -= 1
      if (queue.length === 0) queues.delete(key)
    }
  }
}
