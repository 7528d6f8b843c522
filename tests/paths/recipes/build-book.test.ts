// @vitest-environment happy-dom
import { beforeAll, describe, expect, test } from 'vitest'
import type { BookMachine } from '../../../apps/cli/src/machine-report/path-book.ts'
import { buildBookMachine } from './build-book.ts'

describe('the recipes of a machine with a page', () => {
  let reveal: BookMachine
  beforeAll(async () => {
    reveal = await buildBookMachine('reveal')
  }, 60_000)
  const listSteps = () => reveal.paths.flatMap(({ steps }) => steps)

  test('name the controls as the page does', () => {
    expect(listSteps().map(({ do: { zh } }) => zh)).toContain('在对话框中按“显示”')
  })

  test('say which sentences the page shows, faults included', () => {
    const seen = listSteps().flatMap(({ see }) => see)
    expect(seen).toContainEqual({ zh: '… 秒后隐藏', en: expect.stringContaining('…') as string })
    expect(seen.some(({ zh }) => zh.includes('至少 4 个字'))).toBe(true)
  })

  test('prepare a failure before the step that calls', () => {
    const prepared = listSteps().filter(({ prepare }) => prepare.length > 0)
    expect(prepared.map(({ do: { zh } }) => zh)).toContain('在对话框中按“显示”')
  })

  test('take every transition that the page can take', () => {
    const taken = new Set(listSteps().flatMap((step) => step.taken))
    expect(reveal.transitions.filter(({ id }) => !taken.has(id))).toEqual([])
  })

  test('have ids of their own, and the line that walks them again', () => {
    expect(new Set(reveal.paths.map(({ id }) => id)).size).toBe(reveal.paths.length)
    for (const { again, steps } of reveal.paths)
      expect(again.split(' | ')).toHaveLength(steps.length + 1)
  })
})
