import { describe, expect, test } from 'vitest'
import { protocolProperties } from './protocol-properties.ts'
import { type Composite, protocolModel, isAt } from './protocol-model.ts'
import { exploreModel } from './explore-model.ts'
import { randomWalks } from './random-walks.ts'
import { withoutClosing } from './without-closing.ts'

/** The state with the payment popup just opened. */
function openPaymentPopup(model: ReturnType<typeof protocolModel>): Composite {
  const way = [
    'report.open(first)',
    'preview.confirm',
    'pay.choose(wechat)',
    'order: the server makes an order',
    'order is answered',
  ]
  return way.reduce((at, label) => {
    const event = model.events(at).find((each) => each.label === label)
    if (event === undefined)
      throw new Error(
        `no ${label} among ${model
          .events(at)
          .map((each) => each.label)
          .join(', ')}`,
      )
    return event.to
  }, model.start())
}

describe('the download with a network that loses, duplicates and reorders messages, and payments at any time', () => {
  test('holds every property in every reachable state', () => {
    const began = performance.now()
    const found = exploreModel(protocolModel(), protocolProperties)
    console.log(
      `payment protocol: ${found.states.length} states, ${found.events} events, ${protocolProperties.length} properties, ${Math.round(performance.now() - began)} ms`,
    )
    expect(found.broken).toEqual([])
    // The model is not trivial: orders, payments and entitlements occur, and two orders of one
    // report.
    for (const state of ['PENDING', 'CLOSING', 'CLOSED', 'PAID', 'REFUND'])
      expect(
        found.states.some(({ server }) => server.orders.some((order) => order.state === state)),
        state,
      ).toBe(true)
    expect(found.states.some(({ server }) => server.orders.length === 2)).toBe(true)
    const traces = (indexes: readonly number[]) =>
      indexes.slice(0, 3).map((index) => found.traceTo(index))
    // From every state the list can be reached, and with an entitlement the saved document.
    expect(traces(found.cannotReach((at) => isAt(at, { list: 'shown' })))).toEqual([])
    expect(traces(found.cannotReach((at) => !at.server.entitled || isAt(at, 'success')))).toEqual(
      [],
    )
  }, 120_000)

  test('finds within three events what goes wrong without the state `closing`', () => {
    const model = protocolModel(withoutClosing())
    const names = protocolProperties
      .map(({ name }) => name)
      .filter((name) => /never shown for an order|has asked for it to be closed/.test(name))
    const { broken } = exploreModel(
      { ...model, start: () => openPaymentPopup(model) },
      protocolProperties,
      { untilBroken: names },
    )
    const traces = Object.fromEntries(broken.map(({ property, trace }) => [property, trace]))
    console.log(
      broken
        .map(({ property, trace }) => `without closing: ${property}\n  ${trace.join(' · ')}`)
        .join('\n'),
    )
    expect(traces[names[0] ?? '']).toEqual([
      'the student pays o1',
      'the server hears of the money for o1',
      'payCountdown runs out',
    ])
    expect(names.map((name) => name in traces)).toEqual([true, true, true])
  })

  test('holds them on random walks with more orders and more abandoned requests', () => {
    const walked = randomWalks(
      protocolModel(undefined, { orders: 4, ghosts: 3 }),
      protocolProperties,
      {
        seed: 5,
        walks: 400,
        longest: 80,
      },
    )
    console.log(`payment protocol, wider: ${walked.walks} walks, ${walked.events} events`)
    expect(walked.broken).toBeNull()
    expect(walked.events).toBeGreaterThan(10_000)
  }, 120_000)

  test('shrinks a walk that violates a property to a few events', () => {
    const model = protocolModel(withoutClosing())
    const { broken } = randomWalks(
      { ...model, start: () => openPaymentPopup(model) },
      protocolProperties,
      {
        seed: 5,
        walks: 400,
        longest: 80,
      },
    )
    expect(broken?.trace.length).toBeLessThanOrEqual(3)
  })
})
