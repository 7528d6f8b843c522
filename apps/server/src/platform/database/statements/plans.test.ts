import { expect, it } from 'vitest'
import { estimatedRows, largestCost } from './plans.ts'

const plain = [
  {
    Plan: {
      'Node Type': 'Limit',
      'Total Cost': 12.5,
      'Plan Rows': 20,
      Plans: [{ 'Node Type': 'Seq Scan', 'Total Cost': 900, 'Plan Rows': 4000 }],
    },
  },
]
/** As Citus 13 describes a statement of one task, and of 32. */
const buildDistributedPlan = (count: number) => [
  {
    Plan: {
      'Node Type': 'Custom Scan',
      'Custom Plan Provider': 'Citus Adaptive',
      'Startup Cost': 0,
      'Total Cost': 0,
      'Plan Rows': 0,
      'Distributed Query': {
        Job: {
          'Task Count': count,
          'Tasks Shown': 'One of 32',
          Tasks: [
            {
              Node: 'host=localhost port=9701',
              'Remote Plan': [
                [
                  {
                    Plan: {
                      'Node Type': 'Nested Loop',
                      'Total Cost': 20_000_000,
                      'Plan Rows': 300,
                      Plans: [{ 'Node Type': 'Seq Scan', 'Total Cost': 5, 'Plan Rows': 7 }],
                    },
                  },
                ],
              ],
            },
          ],
        },
      },
    },
  },
]

it('finds the largest cost in a plan, however deep', () => {
  expect(largestCost(plain)).toBe(900)
  expect(largestCost(buildDistributedPlan(1))).toBe(20_000_000)
  expect(largestCost(undefined)).toBe(0)
})

it('reads the rows of the whole statement, and says when there is no estimate', () => {
  expect(estimatedRows(plain)).toBe(20)
  expect(estimatedRows(buildDistributedPlan(1))).toBe(300)
  expect(estimatedRows(buildDistributedPlan(32))).toBe(9600)
  expect(estimatedRows([{ Plan: { 'Plan Rows': 0 } }])).toBeNull()
  expect(estimatedRows(undefined)).toBeNull()
})
