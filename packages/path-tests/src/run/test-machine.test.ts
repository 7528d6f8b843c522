import { expect, test } from 'vitest'
import { actorDriver, commonRules, coverTransitions, explore, listUnexplained } from '../index.ts'
import { graphFindings, testMachine, testSurface } from './test-machine.ts'
import { shopMachine, shopModel } from '../toy.ts'

testMachine(shopModel, {
  rules: [
    ...commonRules(),
    {
      name: 'leaving always gets through',
      kind: 'reach',
      to: ({ state }) => state.includes('left'),
    },
  ],
  accepted: {
    mutants: {
      'shop.flow.paying.polling onDone orderStatus[0] goes to #shop.flow.thanks':
        'checking goes on to thanks at once, since there is an order',
    },
  },
})
testSurface('its actor', shopModel, () => actorDriver(shopModel), coverTransitions)

test('an unneeded reason is reported, and so is a survivor without one', () => {
  expect(listUnexplained(['a', 'b'], { b: 'for a reason', c: 'for another' })).toEqual([
    'a',
    'accepted but not found: c',
  ])
})

test('a transition that a fault makes unreachable is reported with the reason', () => {
  const wrong = explore({
    ...shopModel,
    machine: shopMachine.provide({ guards: { isPaid: () => false } }),
  })
  expect(graphFindings(wrong)[0]).toBe(
    'unreached-transition: shop.flow.paying.polling --done orderStatus[0]--> shop.flow.checking: its state is reached, but its guard never lets a sample through',
  )
})
