import { describe, expect, it } from 'vitest'
import { createRecentCache } from './recent.ts'

describe('a cache of recent results', () => {
  const setup = () => {
    const clock = { now: 0 }
    const made: string[] = []
    const get = createRecentCache<string>(() => clock.now)
    const ask = (key: string, outcome: 'ok' | 'fails' = 'ok') =>
      get(key, () => {
        made.push(key)
        return outcome === 'ok' ? Promise.resolve(key) : Promise.reject(new Error(key))
      })
    return { clock, made, ask }
  }
  it('is made once a minute, also for those who ask at once', async () => {
    const { clock, made, ask } = setup()
    await Promise.all([ask('a'), ask('a'), ask('b')])
    clock.now = 59_999
    await ask('a')
    expect(made).toEqual(['a', 'b'])
    clock.now = 60_000
    await ask('a')
    expect(made).toEqual(['a', 'b', 'a'])
  })
  it('is not kept when it failed', async () => {
    const { made, ask } = setup()
    await expect(ask('a', 'fails')).rejects.toThrow('a')
    expect(await ask('a')).toBe('a')
    expect(made).toEqual(['a', 'a'])
  })
  it('stays small', async () => {
    const { made, ask } = setup()
    for (let i = 0; i < 100; i += 1) await ask(`k${i}`)
    await ask('k99')
    expect(made).toHaveLength(100)
    await ask('k0')
    expect(made).toHaveLength(101)
  })
})
