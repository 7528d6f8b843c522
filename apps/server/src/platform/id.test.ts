import { expect, it } from 'vitest'
import { isId, snowflake } from './id.ts'

it('increases within a millisecond, past a full sequence, and when the clock steps back', () => {
  let at = Date.UTC(2030, 0, 1)
  const next = snowflake(7, () => at)
  const ids = Array.from({ length: 10_000 }, () => BigInt(next()))
  at -= 3_600_000
  ids.push(BigInt(next()))
  expect(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? 0n))).toBe(true)
})
it('differs between nodes at the same moment, and fits a bigint in 2090', () => {
  const at = () => Date.UTC(2090, 0, 1)
  const ids = new Set(Array.from({ length: 1024 }, (_none, node) => snowflake(node, at)()))
  expect(ids.size).toBe(1024)
  expect([...ids].every(isId)).toBe(true)
})
it.each([
  ['1', true],
  ['9223372036854775807', true],
  ['9223372036854775808', false],
  ['', false],
  ['-1', false],
  ['1e3', false],
  ['12345678901234567890', false],
])('%j is an id: %s', (text, is) => {
  expect(isId(text)).toBe(is)
})
