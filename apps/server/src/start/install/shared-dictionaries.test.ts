import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { actions } from './shared-dictionaries.ts'

it('names every action that the server writes to the audit log', () => {
  const root = join(import.meta.dirname, '../..')
  const written = globSync('**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(join(root, file), 'utf8').matchAll(/\baction: '([a-z]+\.[\w.]+)'/g),
    ])
    .map(([, action]) => action)
  expect(written.length).toBeGreaterThan(40)
  const named = new Set(actions.map(([code]) => code))
  expect([...new Set(written)].filter((action) => !named.has(action ?? ''))).toEqual([])
})
