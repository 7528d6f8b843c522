import { describe, expect, test } from 'vitest'
import { assign, fromTransition, setup } from 'xstate'
import {
  commonRules,
  coverEdges,
  defineModel,
  events,
  explore,
  mutants,
  mutate,
  runMutants,
  statePaths,
} from '../index.ts'
import { stepsTo } from './mutants.ts'
import { shopMachine, shopModel } from '../toy.ts'
import { mutateInWorkers } from '../workers.ts'

const graph = explore(shopModel)
const all = mutants(shopMachine)
async function killedBy(paths: Parameters<typeof runMutants>[2]) {
  return runMutants(shopModel, all, paths, {})
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

  test('say how soon a walk takes what they change, or else comes by its state', () => {
    const place = { state: 'shop.flow.paying', event: 'back' }
    const taken = (...ids: string[]) => ids.map((id) => [id])
    const entered = 'shop.flow.checking --always[0]--> shop.flow.paying.polling'
    const left = 'shop.flow.paying --back[1]--> shop.flow.choosing'
    const other = 'shop.flow.thanks --back[0]--> shop.flow.choosing'
    expect(stepsTo(place, taken(other, entered, left))).toBe(2)
    expect(stepsTo(place, taken(other, entered))).toBe(2 + 1)
    expect(stepsTo({ ...place, event: null }, taken(entered, left))).toBe(2)
    expect(stepsTo(place, taken(other))).toBe(Infinity)
  })

  test('change the branches for the snapshots of a child, and are noticed', async () => {
    const machine = setup({
      types: { context: {} as { heard: number } },
      actors: { store: fromTransition((state: number) => state, 0) },
      guards: {
        isLoud: ({ event }) =>
          (event as unknown as { snapshot: { context: number } }).snapshot.context > 1,
      },
    }).createMachine({
      id: 'listener',
      context: { heard: 0 },
      initial: 'on',
      states: {
        on: {
          invoke: {
            src: 'store',
            id: 'store',
            onSnapshot: {
              guard: 'isLoud',
              target: 'loud',
              actions: assign({ heard: ({ context }) => context.heard + 1 }),
            },
          },
        },
        loud: {},
      },
    })
    const model = defineModel(machine, {
      children: {
        store: events([], {
          snapshots: {
            low: { status: 'active', context: 1 },
            high: { status: 'active', context: 2 },
          },
        }),
      },
    })
    const report = await mutate(model)
    expect(report.unbroken).toEqual([])
    const ofSnapshot = report.fates.filter(({ mutant }) => mutant.includes('onSnapshot'))
    expect(ofSnapshot.map(({ kind }) => kind).sort()).toEqual([
      'drop action',
      'drop target',
      'drop transition',
      'guard false',
      'guard true',
      'negate guard',
      'retarget',
    ])
    expect(ofSnapshot.filter(({ killedBy }) => killedBy === null)).toEqual([])
  })

  test('leave the machine itself as it was', () => {
    expect(explore(shopModel).edges.length).toBe(graph.edges.length)
  })

  test('journeys kill every mutant that is not equivalent', async () => {
    const report = await killedBy(coverEdges(graph).paths)
    expect(report.survivors).toEqual(equivalent)
    expect(report.score).toBeCloseTo(1 - 1 / all.length)
  })

  test('a guard that lets everything through survives when events without a handler are left out', async () => {
    const report = await killedBy(coverEdges(graph, { unhandled: false }).paths)
    expect(report.survivors).toEqual([
      'shop.flow.choosing order.create[0] guard isSome always true',
      ...equivalent,
    ])
  })

  test('get the same fates on several threads as on one', async () => {
    const toy = new URL('../toy.ts', import.meta.url)
    const report = await mutateInWorkers(toy, { model: 'shopModel', workers: 2 })
    expect(report).toEqual(await killedBy(coverEdges(graph).paths))
    await expect(mutateInWorkers(toy, { model: 'shop', workers: 2 })).rejects.toThrow(
      'toy.ts has no export shop',
    )
  })

  test('have no score where the graph was cut', async () => {
    const cut = explore(shopModel, { maxStates: 5 })
    const report = await mutate(shopModel, { graph: cut })
    expect(report.unbroken).toEqual([])
    expect(report.killed).toBeGreaterThan(0)
    expect(report.score).toBeNull()
  })

  test('one shortest path per state, as textbooks have it, lets a third live', async () => {
    const textbook = await killedBy(statePaths(graph).paths)
    expect(textbook.score).toBeLessThan(0.7)
  })

  test('rules alone kill some', async () => {
    const { killed, fates } = await runMutants(shopModel, all, [], {
      rules: commonRules(),
    })
    expect(killed).toBeGreaterThan(3)
    expect(
      fates.find(({ mutant }) => mutant === 'shop.flow.creating invoke createOrder dropped')
        ?.killedBy,
    ).toMatch(/^rule /)
  })
})
