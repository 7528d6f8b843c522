import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createKeyedQueue } from './keyed-queue.ts'

it('runs one task at a time for a key, other keys concurrently, and continues after a failure', async () => {
  const enqueue = createKeyedQueue()
  let [running, max] = [0, 0]
  const work = (fails: boolean) => async () => {
    running += 1
    max = Math.max(max, running)
    await sleep(2)
    running -= 1
    if (fails) throw new Error('no')
    return 'ok'
  }
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, (_none, i) => enqueue('a', work(i % 2 === 0))),
  )
  expect([max, results.map(({ status }) => status)]).toEqual([
    1,
    ['rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
  ])
  await Promise.all([enqueue('b', work(false)), enqueue('c', work(false))])
  expect(max).toBe(2)
})
it('refuses a task when twenty are waiting', async () => {
  const enqueue = createKeyedQueue()
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, () => enqueue('a', () => sleep(2))),
  )
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(9)
  await enqueue('a', () => sleep(2))
})
