import { expect, it } from 'vitest'
import { Refusal } from '../../platform/refusal.ts'
import { createThrottle } from './throttle.ts'

const rate = { perSecond: 2, burst: 4 }
it('allows a burst and then the rate, per key, also when the clock jumps', () => {
  let at = 1_000_000
  const throttle = createThrottle(() => at)
  const passed = (key: string, tries: number) =>
    Array.from({ length: tries }, () => {
      try {
        throttle(key, rate)
        return true
      } catch (error) {
        if (error instanceof Refusal && error.status === 429 && (error.retryAfter ?? 0) >= 1)
          return false
        throw error
      }
    }).filter(Boolean).length
  expect(passed('a', 10)).toBe(4)
  expect(passed('b', 1)).toBe(1)
  at += 1000
  expect(passed('a', 10)).toBe(2)
  at -= 3_600_000
  expect(passed('a', 1)).toBe(0)
  at += 1000
  expect(passed('a', 10)).toBe(2)
  at += 3_600_000
  expect(passed('a', 10)).toBe(4)
})
