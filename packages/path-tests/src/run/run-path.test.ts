import { describe, expect, test } from 'vitest'
import { assign, setup } from 'xstate'
import {
  actorDriver,
  type ActorDriverOptions,
  chosenPaths,
  type Driver,
  explore,
  coverEdges,
  defineModel,
  parsePath,
  runPath,
  runPaths,
} from '../index.ts'
import { shopMachine, type ShopSeen, shopModel } from '../toy.ts'

const graph = explore(shopModel)
const set = coverEdges(graph)
/** A surface around a machine that is wrong somewhere. */
const around = (machine: Required<ActorDriverOptions>['machine']) => () =>
  actorDriver(shopModel, { machine })
async function firstFailure(machine: Required<ActorDriverOptions>['machine']) {
  return (
    (await runPaths(shopModel, graph, set.paths, around(machine))).failures.toSorted(
      (a, b) => a.split('\n').length - b.split('\n').length,
    )[0] ?? 'nothing failed'
  )
}

describe('runPaths', () => {
  test('the machine agrees with its own model on every path', async () => {
    const report = await runPaths(shopModel, graph, set.paths, () => actorDriver(shopModel))
    expect(report.failures).toEqual([])
    expect(report.walked.size).toBe(graph.edges.length)
    expect(report.steps).toBe(set.steps)
    expect(new Set(report.results.flatMap(({ taken }) => taken)).size).toBe(
      graph.transitions.length,
    )
  })

  test('reports after every path', async () => {
    const reported: string[] = []
    await runPaths(
      shopModel,
      graph,
      set.paths.slice(0, 2),
      () => actorDriver(shopModel),
      ({ path }, index) => reported.push(`${index} ${path.id}`),
    )
    expect(reported).toEqual(set.paths.slice(0, 2).map(({ id }, index) => `${index} ${id}`))
  })
})

describe('a failing path', () => {
  test('is a recipe that a person can repeat, cut down to the shortest', async () => {
    // A hidden fault: an order that was cancelled is thanked for.
    const recipe = await firstFailure(shopMachine.provide({ actions: { forget: () => {} } }))
    expect(recipe.replace(/edges-\w+/, 'edges')).toBe(
      [
        'shop edges (shortened) failed at step 3 of 3',
        '  1. 👆 order.create(two)  ⇒  {"panel":"shut","flow":"creating"}',
        '  2. ⇄ createOrder → made  ⇒  {"panel":"shut","flow":{"paying":"polling"}}',
        '✗ 3. 👆 order.cancel',
        '    step: model "shut choosing", screen "shut thanks"',
        '    offers: model ["shop.leave","panel.toggle"], screen ["poll.now","shop.leave","panel.toggle"]',
        '    effects: model ["stop orderStatus","stop payTime"], screen ["stop orderStatus","stop payTime","action forget"]',
        "reproduce: MBT_PATH='user:order.create(two) | settle:createOrder → made | user:order.cancel'",
      ].join('\n'),
    )
  })

  test('can be run again by its reproduce line, alone', async () => {
    const wrong = shopMachine.provide({ actions: { forget: () => {} } })
    const [path] = chosenPaths(
      shopModel,
      set.paths,
      'user:order.create(two) | settle:createOrder → made | user:order.cancel',
    )
    if (path === undefined) throw new Error('no path')
    expect(
      (await runPath(shopModel, path, actorDriver(shopModel, { machine: wrong }))).failure?.at,
    ).toBe(2)
    expect((await runPath(shopModel, path, actorDriver(shopModel))).failure).toBeNull()
    expect(chosenPaths(shopModel, set.paths, '')).toBe(set.paths)
    expect(() => parsePath(shopModel, 'user:order.cancle')).toThrow(
      'no step "user:order.cancle" in {"panel":"shut","flow":"choosing"}; possible: user:order.create(none), user:order.create(two), user:text.set(short)',
    )
  })

  test('shows effects that did not happen', async () => {
    expect(
      await firstFailure(shopMachine.provide({ actions: { reportPaid: () => {} } })),
    ).toContain(
      'effects: model ["stop payTime","emit {\\"type\\":\\"paid\\",\\"order\\":\\"o2\\"}"], screen ["stop payTime","action reportPaid"]',
    )
  })

  test('shows calls that were made with something else', async () => {
    const wrong = shopMachine.provide({ actions: { take: ({ context }) => context } })
    expect(await firstFailure(wrong)).toContain(
      'effects: model ["call createOrder {\\"pieces\\":2}"], screen ["action take {\\"type\\":\\"order.create\\",\\"pieces\\":2}","call createOrder {\\"pieces\\":0}"]',
    )
  })

  test('distinguishes a timer that runs out too late from one that runs out too early', async () => {
    const [poll] = chosenPaths(
      shopModel,
      [],
      'user:order.create(two) | settle:createOrder → made | settle:orderStatus → pending | time:after POLL',
    )
    if (poll === undefined) throw new Error('no path')
    const reasons = async (POLL: number) =>
      (
        await runPath(
          shopModel,
          poll,
          actorDriver(shopModel, { machine: shopMachine.provide({ delays: { POLL } }) }),
        )
      ).failure?.reasons
    expect(await reasons(2000)).toBeUndefined()
    expect(await reasons(2001)).toContain('pending calls: model orderStatus, screen none')
    expect(await reasons(1999)).toContain(
      'while waiting 1999 ms: pending calls: model none, screen orderStatus',
    )
  })

  test('shows a machine that breaks', async () => {
    expect(
      await firstFailure(
        shopMachine.provide({
          guards: {
            hasOrder: () => {
              throw new Error('no context')
            },
          },
        }),
      ),
    ).toContain('the machine ended in an error')
  })

  test('says when the key of the model merges states that differ', async () => {
    const counter = setup({
      types: {
        context: {} as { count: number },
        events: {} as { type: 'left.up' } | { type: 'right.up' },
      },
    }).createMachine({
      id: 'counter',
      context: { count: 0 },
      on: {
        'left.up': { actions: assign({ count: ({ context }) => context.count + 1 }) },
        'right.up': { actions: assign({ count: ({ context }) => context.count + 1 }) },
      },
    })
    const merging = defineModel(counter, {
      unhandled: 'none',
      key: ({ context }) => (context.count < 2 ? 'few' : 'many'),
      project: ({ context }) => context.count,
    })
    const mergedGraph = explore(merging)
    const { failures } = await runPaths(merging, mergedGraph, coverEdges(mergedGraph).paths, () =>
      actorDriver(merging),
    )
    expect(failures.join('\n')).toContain(
      'the model\'s key merges different states: the path expects "few", the machine is in "many"',
    )
  })

  test('shows a call that was not made', async () => {
    const [path] = chosenPaths(shopModel, [], 'user:order.create(two) | settle:createOrder → made')
    if (path === undefined) throw new Error('no path')
    const driver = actorDriver(shopModel)
    const deaf = { ...driver, user: async () => {} }
    const { failure } = await runPath(shopModel, path, deaf)
    expect(failure?.reasons).toEqual([
      'step: model "shut creating", screen "shut choosing"',
      'busy: model true, screen false',
      'offers: model ["panel.toggle"], screen ["shop.leave","panel.toggle"]',
      'effects: model ["call createOrder {\\"pieces\\":2}"], screen []',
      'pending calls: model createOrder, screen none',
    ])
  })
})

describe('a surface around a sound machine', () => {
  const failuresOf = async (spoil: (driver: Driver<ShopSeen>) => Driver<ShopSeen>) =>
    (
      await runPaths(shopModel, graph, set.paths, () => spoil(actorDriver(shopModel)))
    ).failures.join('\n')

  test('that hides a button is caught', async () => {
    expect(
      await failuresOf((driver) => ({
        ...driver,
        observe: async () => {
          const seen = await driver.observe()
          return { ...seen, offers: seen.offers.filter((offer) => offer !== 'order.cancel') }
        },
      })),
    ).toContain(
      'offers: model ["order.cancel","shop.leave","panel.toggle"], screen ["shop.leave","panel.toggle"]',
    )
  })
  test('that ignores a gesture is caught', async () => {
    expect(
      await failuresOf((driver) => ({
        ...driver,
        user: async (step) => {
          if (step.label !== 'panel.toggle') await driver.user(step)
        },
      })),
    ).toContain('open: model true, screen false')
  })
  test('that calls twice is caught, and one that shows an old countdown', async () => {
    expect(
      await failuresOf((driver) => ({
        ...driver,
        effects: () =>
          (driver.effects?.() ?? []).flatMap((effect) =>
            effect.startsWith('call createOrder') ? [effect, effect] : [effect],
          ),
      })),
    ).toContain(
      'effects: model ["call createOrder {\\"pieces\\":2}"], screen ["call createOrder {\\"pieces\\":2}","call createOrder {\\"pieces\\":2}"]',
    )
    expect(
      await failuresOf((driver) => ({
        ...driver,
        observe: async () => {
          const seen = await driver.observe()
          return { ...seen, secondsLeft: seen.secondsLeft === null ? null : 30 }
        },
      })),
    ).toMatch(/secondsLeft: model \d+, screen 30/)
  })
  test('may leave out what it cannot tell', async () => {
    expect(await failuresOf(({ effects: _effects, pending: _pending, ...driver }) => driver)).toBe(
      '',
    )
  })
})
