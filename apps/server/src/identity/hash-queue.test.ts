import { expect, it } from 'vitest'
import { Refusal } from '../platform/refusal.ts'
import { createHashQueue } from './hash-queue.ts'

/** A queue whose work ends when it is told to. */
function startQueue(limits = { atOnce: 1, waiting: 10 }) {
  const queue = createHashQueue(limits)
  const ends: (() => void)[] = []
  const done: string[] = []
  const add = (name: string, network: string) =>
    queue
      .run({ network, key: name }, () => new Promise<void>((resolve) => ends.push(resolve)))
      .then(() => done.push(name))
  const finish = async () => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { queue, add, finish, done }
}

it('lets everybody in whom it has taken, the networks in turn', async () => {
  const { queue, add, finish, done } = startQueue()
  const all = [
    ...['a1', 'a2', 'a3', 'a4'].map((name) => add(name, 'a')),
    ...['b1', 'b2'].map((name) => add(name, 'b')),
  ]
  expect(['a1', 'a4', 'b1', 'b2'].map((key) => queue.findPlace(key)?.before)).toEqual([
    undefined,
    4,
    1,
    3,
  ])
  for (const _each of all) await finish()
  await Promise.all(all)
  expect(done).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
  expect([queue.waiting(), queue.findPlace('a4')]).toEqual([0, null])
})

it('refuses with 503 only when as many wait as may', async () => {
  const { queue, add, finish } = startQueue({ atOnce: 2, waiting: 3 })
  const all = ['1', '2', '3', '4', '5'].map((name) => add(name, name))
  await expect(add('6', '6')).rejects.toThrow(Refusal)
  expect(queue.waiting()).toBe(3)
  for (const _each of all) await finish()
  await Promise.all(all)
})

it('goes on after a hash that fails', async () => {
  const queue = createHashQueue({ atOnce: 1, waiting: 1 })
  await expect(queue.run({}, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await queue.run({}, () => Promise.resolve('yes'))).toBe('yes')
})
