// Runs in vitest.config.ts: takes out one check at a time and asks its cell of the table.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cells, difference } from './matrix.ts'
import { mutants } from './mutant-list.ts'
import { openWorld } from './world.ts'
import type { World } from './world-types.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
}, 300_000)
afterAll(() => world.app.close())

describe.each(mutants.map((mutant, index) => ({ ...mutant, index })))(
  'without "$check"',
  ({ index, cell: [route, subject] }) => {
    const name = `${route} as ${subject}`
    it(
      name,
      async () => {
        const cell = cells.find((each) => each.name === name)
        if (cell === undefined) throw new Error(`there is no cell ${name}`)
        // The compiled statements of an entity and its checks are remembered as long as the entity
        // is.
        const forget = () => world.app.services.registry.invalidate()
        const switches = globalThis as { off?: number }
        expect(await difference(world, cell)).toBe(null)
        switches.off = index
        forget()
        try {
          const noticed = await difference(world, cell)
          expect(noticed).not.toBe(null)
          console.info(
            `| ${mutants[index]?.check} | ${mutants[index]?.file} | ${name} | ${noticed?.slice(0, 60)} |`,
          )
        } finally {
          delete switches.off
          forget()
        }
      },
      60_000,
    )
  },
)
