// Every call of the contract as every subject, against one table of rights.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contract } from '@jiaowu/api/contract/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cells, difference } from './matrix.ts'
import { listSourceEdits, mutants } from './mutant-list.ts'
import { rights } from './table/table.ts'
import { openWorld } from './world.ts'
import type { World } from './world-types.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
}, 120_000)
afterAll(() => world.app.close())

it('the table of rights has a row for every call', () => {
  const calls = Object.entries(contract).flatMap(([group, endpoints]) =>
    Object.keys(endpoints).map((name) => `${group}.${name}`),
  )
  expect(Object.keys(rights).toSorted()).toEqual(calls.toSorted())
})

it.each(mutants)('the check "$check" is where the list of mutants has it', (mutant) => {
  for (const { file, text } of listSourceEdits(mutant)) {
    const path = join(import.meta.dirname, '..', '..', '..', 'apps', 'server', 'src', file)
    expect(readFileSync(path, 'utf8').split(text)).toHaveLength(2)
  }
  const [cell, subject] = mutant.cell
  expect(cells.map(({ name }) => name)).toContain(`${cell} as ${subject}`)
})

describe.each([...Map.groupBy(cells, ({ route }) => route)])('%s', (_route, ofRoute) => {
  it.each(ofRoute)('$name', async (cell) => {
    expect(await difference(world, cell)).toBe(null)
  })
})
