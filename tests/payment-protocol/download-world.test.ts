import { describe, expect, test } from 'vitest'
import { downloadPromises } from './download-promises.ts'
import { type Composite, downloadWorld, isAt } from './download-world.ts'
import { exploreWorld } from './explore-world.ts'
import { walkWorld } from './walk-world.ts'
import { withoutClosing } from './without-closing.ts'

/** The popup has just opened: what a person sees of an order that was made a moment ago. */
function atThePopup(world: ReturnType<typeof downloadWorld>): Composite {
  const way = [
    'report.open(first)',
    'preview.confirm',
    'pay.choose(wechat)',
    'order: the server makes an order',
    'order is answered',
  ]
  return way.reduce((at, label) => {
    const event = world.events(at).find((each) => each.label === label)
    if (event === undefined)
      throw new Error(
        `no ${label} among ${world
          .events(at)
          .map((each) => each.label)
          .join(', ')}`,
      )
    return event.to
  }, world.start())
}

describe('the download among a network that loses, doubles and reorders, and money that comes at any time', () => {
  test('keeps every promise in every state there is', () => {
    const began = performance.now()
    const found = exploreWorld(downloadWorld(), downloadPromises)
    console.log(
      `download world: ${found.states.length} states, ${found.events} events, ${downloadPromises.length} promises, ${Math.round(performance.now() - began)} ms`,
    )
    expect(found.broken).toEqual([])
    // Not an empty world: orders, money and entitlements all occur, and so do two orders of one report.
    for (const state of ['PENDING', 'CLOSING', 'CLOSED', 'PAID', 'REFUND'])
      expect(
        found.states.some(({ server }) => server.orders.some((order) => order.state === state)),
        state,
      ).toBe(true)
    expect(found.states.some(({ server }) => server.orders.length === 2)).toBe(true)
    const traces = (indexes: readonly number[]) =>
      indexes.slice(0, 3).map((index) => found.traceTo(index))
    // From everywhere the list can be reached, and whoever is entitled can come to the saved document.
    expect(traces(found.cannotReach((at) => isAt(at, { list: 'shown' })))).toEqual([])
    expect(traces(found.cannotReach((at) => !at.server.entitled || isAt(at, 'success')))).toEqual(
      [],
    )
  }, 120_000)

  test('shows within three events what goes wrong without `closing`', () => {
    const world = downloadWorld(withoutClosing())
    const names = downloadPromises
      .map(({ name }) => name)
      .filter((name) => /never shown for an order|has asked for it to be closed/.test(name))
    const { broken } = exploreWorld(
      { ...world, start: () => atThePopup(world) },
      downloadPromises,
      { untilBroken: names },
    )
    const traces = Object.fromEntries(broken.map(({ promise, trace }) => [promise, trace]))
    console.log(
      broken
        .map(({ promise, trace }) => `without closing: ${promise}\n  ${trace.join(' · ')}`)
        .join('\n'),
    )
    expect(traces[names[0] ?? '']).toEqual([
      'the student pays o1',
      'the server hears of the money for o1',
      'payCountdown runs out',
    ])
    expect(names.map((name) => name in traces)).toEqual([true, true, true])
  })

  test('keeps them on random walks with more orders and more requests that nobody waits for', () => {
    const walked = walkWorld(downloadWorld(undefined, { orders: 4, ghosts: 3 }), downloadPromises, {
      seed: 5,
      walks: 400,
      longest: 80,
    })
    console.log(`download world, wider: ${walked.walks} walks, ${walked.events} events`)
    expect(walked.broken).toBeNull()
    expect(walked.events).toBeGreaterThan(10_000)
  }, 120_000)

  test('shrinks a walk that breaks a promise to a few events', () => {
    const world = downloadWorld(withoutClosing())
    const { broken } = walkWorld({ ...world, start: () => atThePopup(world) }, downloadPromises, {
      seed: 5,
      walks: 400,
      longest: 80,
    })
    expect(broken?.trace.length).toBeLessThanOrEqual(3)
  })
})
