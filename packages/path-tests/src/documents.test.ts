import { describe, expect, test } from 'vitest'
import { catalogue, catalogueText, explore, coverEdges, toMermaid } from './index.ts'
import { shopMachine, shopModel } from './toy.ts'

describe('toMermaid', () => {
  test('draws states, regions, tags, calls, guards and actions', () => {
    expect(toMermaid(shopMachine)).toBe(`stateDiagram-v2
  state "shop" as root {
    state "panel" as panel {
      [*] --> panel__shut
      state "shut" as panel__shut
      state "shown" as panel__shown
      panel__shown: tag open
    }
    --
    state "flow" as flow {
      state "any of flow" as flow__any
      [*] --> flow__choosing
      state "choosing" as flow__choosing
      state "creating" as flow__creating
      flow__creating: tag busy
      flow__creating: ⇄ createOrder
      state "paying" as flow__paying {
        [*] --> flow__paying__polling
        state "polling" as flow__paying__polling
        flow__paying__polling: ⇄ orderStatus
        state "waiting" as flow__paying__waiting
      }
      note right of flow__paying: ⇄ countdown
      state "checking" as flow__checking
      state "thanks" as flow__thanks
      state "left" as flow__left
      flow__left --> [*]
    }
  }
  panel__shut --> panel__shown: panel.toggle
  panel__shown --> panel__shut: panel.toggle
  flow__any --> flow__left: shop.leave
  flow__choosing --> flow__creating: order.create [isSome] / take
  flow__choosing --> flow__choosing: text.set / keepText, reportText
  flow__creating --> flow__creating: shop.leave
  flow__creating --> flow__paying: done createOrder / keepOrder
  flow__creating --> flow__choosing: error createOrder / keepProblem
  flow__paying --> flow__checking: order.cancel / forget
  flow__paying --> flow__checking: done payTime / forget
  flow__paying__polling --> flow__checking: done orderStatus [isPaid] / reportPaid
  flow__paying__polling --> flow__paying__waiting: done orderStatus
  flow__paying__polling --> flow__paying__waiting: error orderStatus
  flow__paying__waiting --> flow__paying__polling: poll.now
  flow__paying__waiting --> flow__paying__polling: after POLL
  flow__checking --> flow__thanks: always [hasOrder]
  flow__checking --> flow__choosing: always
  flow__thanks --> flow__thanks: poll.now
  flow__thanks --> flow__left: after HINT
`)
  })
})

describe('catalogue', () => {
  const graph = explore(shopModel)
  test('lists counts, unreached transitions and the steps of every path', () => {
    const made = catalogue(graph, [coverEdges(graph)])
    expect(made).toMatchObject({
      machine: 'shop',
      states: 32,
      edges: 236,
      unhandled: 104,
      transitions: { declared: 19, reached: 19, unreached: [] },
    })
    expect(made.sets[0]?.paths.length).toBe(30)
    expect(made.sets[0]?.paths[0]?.steps[0]).toMatch(/^user:/)
  })
  test('is the same text every time', () => {
    expect(catalogueText(explore(shopModel), [coverEdges(explore(shopModel))])).toBe(
      catalogueText(graph, [coverEdges(graph)]),
    )
  })
})
