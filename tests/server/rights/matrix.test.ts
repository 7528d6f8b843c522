// Every call of the contract as every subject, against one table of rights.
import { contract } from '@jiaowu/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cells, difference } from './matrix.ts'
import { rights } from './table.ts'
import { openWorld, type World } from './world.ts'

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

describe.each([...Map.groupBy(cells, ({ route }) => route)])('%s', (_route, ofRoute) => {
  it.each(ofRoute)('$name', async (cell) => {
    expect(await difference(world, cell)).toBe(null)
  })
})
