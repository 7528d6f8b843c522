import { expect, test } from 'vitest'
import { bareDriver, explore } from '../index.ts'
import { byTransition } from '../cover/paths.ts'
import { unexcused } from '../mutate/excuses.ts'
import { gateMachine, gateSurface, graphFindings } from './gate.ts'
import { shopMachine, shopSpec } from '../toy.ts'

gateMachine(shopSpec, {
  rules: [
    {
      name: 'leaving always gets through',
      kind: 'reach',
      to: ({ state }) => state.includes('left'),
    },
  ],
  survivors: {
    'shop.flow.paying.polling onDone orderStatus[0] goes to #shop.flow.thanks':
      'checking goes on to thanks at once, since there is an order',
  },
})
gateSurface('the bare machine', shopSpec, () => bareDriver(shopSpec), byTransition)

test('an unneeded excuse is reported, and so is a survivor without one', () => {
  expect(unexcused(['a', 'b'], { b: 'for a reason', c: 'for another' })).toEqual([
    'a',
    'excused but not found: c',
  ])
})

test('a transition that a fault makes unreachable is reported with the reason', () => {
  const wrong = explore({
    ...shopSpec,
    machine: shopMachine.provide({ guards: { isPaid: () => false } }),
  })
  expect(graphFindings(wrong)[0]).toBe(
    'shop.flow.paying.polling --done orderStatus[0]--> shop.flow.checking: its state is reached, but its guard never lets a sample through',
  )
})
