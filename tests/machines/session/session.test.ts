import { expect, test } from 'vitest'
import { exploreChecked, mergedKeys } from '../spec.ts'
import { gateParts } from '../gate-parts.ts'
import { sessionConcerns, sessionModels } from './model.ts'

gateParts(sessionModels)

test('the concerns of slow surfaces take every transition together, with keys fine enough', () => {
  const graphs = Object.values(sessionConcerns.parts).map((spec) => exploreChecked(spec))
  const reached = new Set(
    graphs.flatMap(({ transitions }) =>
      transitions.filter((each) => each.reached).map(({ id }) => id),
    ),
  )
  expect(graphs[0]?.transitions.filter(({ id }) => !reached.has(id)).map(({ id }) => id)).toEqual(
    [],
  )
  expect(graphs.flatMap(mergedKeys)).toEqual([])
  console.log(
    graphs
      .map(
        ({ nodes, edges }) =>
          `${nodes.length} states, ${edges.filter(({ unhandled }) => !unhandled).length} edges`,
      )
      .join('; '),
  )
})
