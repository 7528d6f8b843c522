import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIfStale, main } from '../../../apps/cli/bin/build.js'

test('a build started by a test run is a production build', async () => {
  buildIfStale()
  const folder = join(main, '..')
  const chunks = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  const texts = await Promise.all(chunks.map((name) => readFile(join(folder, name), 'utf8')))
  expect(texts.some((text) => text.includes('react/jsx-runtime'))).toBe(true)
  expect(texts.filter((text) => text.includes('jsx-dev-runtime'))).toEqual([])
})
