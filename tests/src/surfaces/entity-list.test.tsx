// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { explore, journeys, runPaths } from '../model/index.ts'
import { listSizeModel } from '../models/entity-list.model.ts'
import { listOnScreen, listScreen } from './entity-list.web.tsx'
import { webDriver } from './web.tsx'

// Paging, sizes and refreshing; the list's other concerns are walked on the bare machine only (models/machines.test.ts).
const models = { listSizeModel }

describe('the list page', () => {
  test.each(Object.entries(models))('shows and does what its machine says: %s', async (_name, model) => {
    const spec = listOnScreen(model)
    const graph = explore(spec, 600)
    const { failures, steps } = await runPaths(spec, graph, journeys(graph).paths, () => webDriver(listScreen()))
    expect(failures.join('\n\n')).toBe('')
    expect(steps).toBeGreaterThan(10)
  }, 300_000)
})
