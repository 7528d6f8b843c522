import { expect, it } from 'vitest'
import { createQueues } from './one-by-one.ts'

function nap() {
  return new Promise<void>((resolve) => {
    setTimeout(resolve, 2)
  })
}

it('runs one at a time for a key, others beside it, and goes on after a failure', async () => {
  const oneByOne = createQueues()
  let [inside, most] = [0, 0]
  const work = (fails: boolean) => async () => {
    inside += 1
    most = Math.max(most, inside)
    await nap()
    inside -= 1
    if (fails) throw new Error('no')
    return 'ok'
  }
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, (_none, i) => oneByOne('a', work(i % 2 === 0))),
  )
  expect([most, results.map(({ status }) => status)]).toEqual([
    1,
    ['rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
  ])
  await Promise.all([oneByOne('b', work(false)), oneByOne('c', work(false))])
  expect(most).toBe(2)
})
it('sends away who would wait behind twenty', async () => {
  const oneByOne = createQueues()
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => oneByOne('a', nap)))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(9)
  await oneByOne('a', nap)
})
