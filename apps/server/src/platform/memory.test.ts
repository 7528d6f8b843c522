import { describe, expect, it } from 'vitest'
import { createMemory, type MemoryKind } from './memory.ts'

const kind: MemoryKind<number> = { name: 'numbers', limit: 2, age: 1_000 }

function memoryAt(start: number) {
  const clock = { now: start }
  return { clock, memory: createMemory(() => new Date(clock.now)) }
}

describe('memory', () => {
  it('forgets the least recently used entry beyond its limit', () => {
    const store = memoryAt(0).memory.of(kind)
    store.set('a', 1)
    store.set('b', 2)
    expect(store.get('a')).toBe(1)
    store.set('c', 3)
    expect(['a', 'b', 'c'].map(store.peek.bind(store))).toEqual([1, undefined, 3])
  })
  it('finds no entry that is too old or of the future, and still shows it', () => {
    const { clock, memory } = memoryAt(5_000)
    const store = memory.of(kind)
    store.set('a', 1)
    clock.now = 5_999
    expect(store.get('a')).toBe(1)
    clock.now = 6_000
    expect(store.get('a')).toBeUndefined()
    clock.now = 3_000
    expect(store.get('a')).toBeUndefined()
    expect(store.peek('a')).toBe(1)
  })
  it('forgets entries that nobody used for a while', () => {
    const { clock, memory } = memoryAt(0)
    const store = memory.of<number>({ name: 'idle', limit: 100, idle: 10 })
    store.set('a', 1)
    store.set('b', 2)
    clock.now = 9
    store.get('a')
    clock.now = 12
    store.set('c', 3)
    expect(['a', 'b', 'c'].map(store.has.bind(store))).toEqual([true, false, true])
  })
  it('counts hits and misses by kind, apart for every server', () => {
    const [one, other] = [memoryAt(0).memory, memoryAt(0).memory]
    one.of(kind).set('a', 1)
    one.of(kind).get('a')
    one.of(kind).get('b')
    expect(one.figures()).toEqual([{ name: 'numbers', limit: 2, entries: 1, hits: 1, misses: 1 }])
    expect(other.figures()).toEqual([])
  })
  it('refuses two kinds of one name', () => {
    const { memory } = memoryAt(0)
    memory.of(kind)
    expect(() => memory.of<string>({ name: 'numbers', limit: 1 })).toThrow('called numbers')
  })
  it('shares running and recent calls, and none that failed', async () => {
    const { clock, memory } = memoryAt(0)
    const calls: MemoryKind<Promise<string>> = { name: 'calls', limit: 2, age: 60_000 }
    const made: string[] = []
    const ask = (key: string, outcome: 'ok' | 'fails' = 'ok') =>
      memory.share(calls, key, () => {
        made.push(key)
        return outcome === 'ok' ? Promise.resolve(key) : Promise.reject(new Error(key))
      })
    expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual(['a', 'a', 'b'])
    clock.now = 59_999
    await ask('a')
    expect(made).toEqual(['a', 'b'])
    clock.now = 60_000
    await ask('a')
    expect(made).toEqual(['a', 'b', 'a'])
    await expect(ask('c', 'fails')).rejects.toThrow('c')
    expect(await ask('c')).toBe('c')
    expect(made).toEqual(['a', 'b', 'a', 'c', 'c'])
  })
})
