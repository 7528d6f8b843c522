// A progress bar has a name for screen readers, or stands beside the same words and is hidden from them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

it('names every progress bar', () => {
  const bars = globSync('apps/web/src/**/*.tsx', { cwd: root }).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return [...text.matchAll(/<ProgressBar\b[^]*?\/>/g)].map(({ 0: bar, index }) => ({
      path,
      isNamed: bar.includes('aria-label') || /aria-hidden>\s*$/.test(text.slice(0, index)),
    }))
  })
  expect(bars.length).toBeGreaterThan(5)
  expect(bars.filter(({ isNamed }) => !isNamed).map(({ path }) => path)).toEqual([])
})
