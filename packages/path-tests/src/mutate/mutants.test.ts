import { describe, expect, test } from 'vitest'
import {
  bareDriver,
  commonRules,
  edgePaths,
  explore,
  journeys,
  mutants,
  runMutants,
  statePaths,
} from '../index.ts'
import { shopMachine, shopSpec } from '../toy.ts'

const graph = explore(shopSpec)
const all = mutants(shopMachine)
async function killedBy(paths: Parameters<typeof runMutants>[2]) {
  return runMutants(shopSpec, all, paths, {
    makeDriver: (machine) => bareDriver(shopSpec, machine),
  })
}
/** `checking` goes on to `thanks` at once when there is an order, and after `paid` there always is one. */
const equivalent = ['shop.flow.paying.polling onDone orderStatus[0] goes to #shop.flow.thanks']

describe('mutants', () => {
  test('are faults of every kind, each with its own name', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect([...new Set(all.map(({ kind }) => kind))].sort()).toEqual([
      'change delay',
      'drop action',
      'drop input',
      'drop invoke',
      'drop reenter',
      'drop tag',
      'drop target',
      'drop transition',
      'guard false',
      'guard true',
      'negate guard',
      'other initial',
      'retarget',
      'swap branches',
    ])
    expect(mutants(shopMachine).map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  })

  test('leave the machine itself as it was', () => {
    expect(explore(shopSpec).edges.length).toBe(graph.edges.length)
  })

  test('journeys kill every mutant that is not equivalent', async () => {
    const report = await killedBy(journeys(graph).paths)
    expect(report.survivors).toEqual(equivalent)
    expect(report.score).toBeCloseTo(1 - 1 / all.length)
  })

  test('a guard that lets everything through survives when sneak steps are off', async () => {
    const report = await killedBy(journeys(graph, { sneak: false }).paths)
    expect(report.survivors).toEqual([
      'shop.flow.choosing order.create[0] guard isSome always true',
      ...equivalent,
    ])
  })

  test('one shortest path per state, as textbooks have it, lets a third live; single edges come close to journeys', async () => {
    const textbook = await killedBy(statePaths(graph).paths)
    expect(textbook.score).toBeLessThan(0.7)
    const edges = await killedBy(edgePaths(graph).paths)
    expect(edges.score).toBeGreaterThan(0.9)
    // That a timer starts from the full time again takes two steps in a row to see.
    expect(edges.survivors).toContain('shop.flow.thanks poll.now[0] does not reenter')
  })

  test('rules alone kill some', async () => {
    const { killed, fates } = await runMutants(shopSpec, all, [], {
      makeDriver: (machine) => bareDriver(shopSpec, machine),
      rules: commonRules(),
    })
    expect(killed).toBeGreaterThan(3)
    expect(
      fates.find(({ mutant }) => mutant === 'shop.flow.creating invoke createOrder dropped')
        ?.killedBy,
    ).toMatch(/^rule /)
  })
})
