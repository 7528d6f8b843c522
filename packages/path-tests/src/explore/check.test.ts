import { describe, expect, test } from 'vitest'
import { check, commonRules, explore, type Rule } from '../index.ts'
import { shopMachine, shopModel } from '../toy.ts'

const graph = explore(shopModel)
function readOrderContext({ snapshot }: (typeof graph.nodes)[number]) {
  return snapshot.context as { order: string | null }
}
const rules: Rule[] = [
  ...commonRules(),
  {
    name: 'thanks only for an order',
    kind: 'state',
    holds: (node) => !node.state.includes('thanks') || readOrderContext(node).order !== null,
  },
  {
    name: 'only a paid order is reported',
    kind: 'edge',
    holds: ({ effects, step }) =>
      !effects.some((effect) => effect.startsWith('emit {"type":"paid"')) ||
      step.label === 'orderStatus → paid',
  },
  { name: 'leaving always gets through', kind: 'reach', to: ({ state }) => state.includes('left') },
]

describe('check', () => {
  test('the shop keeps its rules', () => {
    expect(check(graph, rules)).toEqual([])
  })

  test('a violation comes with the shortest way to it', () => {
    const wrong = explore({
      ...shopModel,
      machine: shopMachine.provide({ guards: { hasOrder: () => true } }),
    })
    expect(check(wrong, rules)).toEqual([
      {
        rule: 'thanks only for an order',
        times: 16,
        trace: 'order.create(two) · createOrder → made · order.cancel',
        state: '{"panel":"shut","flow":"thanks"}',
      },
    ])
  })

  test('an edge rule sees the effects of the step', () => {
    const rule: Rule = {
      name: 'no call is made twice',
      kind: 'edge',
      holds: ({ effects, step }) => step.label !== 'poll.now' || effects.length === 0,
    }
    expect(check(graph, [rule])[0]?.trace).toBe(
      'order.create(two) · createOrder → made · orderStatus → pending · poll.now',
    )
  })

  test('a state without a way on is found, and one the person must help out of', () => {
    const reach: Rule = {
      name: 'back to choosing',
      kind: 'reach',
      to: ({ state }) => state.includes('choosing'),
    }
    expect(check(graph, [reach])[0]?.trace).toBe('shop.leave')
    const alone: Rule = {
      name: 'thanks comes by itself',
      kind: 'reach',
      to: ({ state }) => state.includes('thanks'),
      from: ({ state }) => state.includes('choosing'),
      by: ({ step }) => step.kind !== 'user',
    }
    expect(check(graph, [alone])[0]?.trace).toBe('(at the start)')
  })
})
