import { afterEach, expect, it, vi } from 'vitest'
import { type QueuePlace, signInByTurn } from './queue-place.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('tells the place of a sign-in that takes long, until it ends', async () => {
  vi.useFakeTimers()
  const told: (QueuePlace | null)[] = []
  const asked: string[] = []
  let place = 12
  const sign = Promise.withResolvers<string>()
  const signedIn = signInByTurn({
    work: (key) => {
      asked.push(key)
      return sign.promise
    },
    ask: (key) => {
      asked.push(key)
      place -= 5
      return place > 0
        ? Promise.resolve({ before: place, seconds: 1 })
        : Promise.reject(new Error('no'))
    },
    tell: (now) => told.push(now),
  })
  await vi.advanceTimersByTimeAsync(8_000)
  sign.resolve('in')
  expect(await signedIn).toBe('in')
  await vi.advanceTimersByTimeAsync(8_000)
  expect(told).toEqual([{ before: 7, seconds: 1 }, { before: 2, seconds: 1 }, null, null])
  expect(new Set(asked).size).toBe(1)
})
