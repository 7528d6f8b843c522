import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { withSharedMemory } from './cancel.ts'

/** An import section with a function, a table, a global and the memory, and a custom section. */
const before = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
const leading = '04 01 65 01 66 00 00 01 65 01 74 01 70 00 01 01 65 01 67 03 7f 00 01 65 01 6d 02'
const imports = (limits: readonly number[]) => [
  ...Buffer.from(leading.replaceAll(' ', ''), 'hex'),
  ...limits,
]
const section = (id: number, body: readonly number[]) => [id, body.length, ...body]
const module = (limits: readonly number[]) =>
  Uint8Array.from([
    ...before,
    ...section(1, [1, 0x60, 0, 0]),
    ...section(2, imports(limits)),
    ...section(0, [1, 0x78, 7]),
  ])

it.each([
  ['without a maximum', [0, 5]],
  ['with a maximum', [1, 5, 0x80, 0x02]],
])('declares an imported memory %s as shared', (_what, limits) =>
  expect(withSharedMemory(module(limits))).toEqual(module([3, 5, 0x80, 0x80, 2])),
)
it('leaves a module without imported memory as it is', () => {
  const plain = Uint8Array.from([...before, ...section(1, [1, 0x60, 0, 0])])
  expect(withSharedMemory(plain)).toBe(plain)
})
it('finds the memory of PGlite, and the flags of PostgreSQL are among its exports', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  const bytes = new Uint8Array(readFileSync(join(folder, 'pglite.wasm')))
  expect(withSharedMemory(bytes)).not.toBe(bytes)
  const text = Buffer.from(bytes).toString('latin1')
  expect(text).toContain('QueryCancelPending')
  expect(text).toContain('InterruptPending')
})
