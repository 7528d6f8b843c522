// Nothing tells a person to start the command by the package runner of npm: outside of the repository it asks a
// public registry for a name that nobody owns (docs/terminal.md#install).
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const kinds = '*.{md,ts,tsx,js,sh,json,yml}'

it('no text starts jiaowu by npx', async () => {
  const found: string[] = []
  let files = 0
  for await (const file of glob([kinds, `{apps,bench,docs,packages,scripts,tests}/**/${kinds}`], {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  })) {
    files += 1
    for (const [number, line] of readFileSync(join(root, file), 'utf8').split('\n').entries())
      if (startsCommand(line)) found.push(`${file}:${number + 1}: ${line.trim()}`)
  }
  expect(files).toBeGreaterThan(1000)
  expect(found).toEqual([])
})

it('finds such a line', () => {
  expect([`np${'x'} jiaowu login`, `np${'x'} --yes jiaowu`].map(startsCommand)).toEqual([
    true,
    true,
  ])
  expect([`np${'x'} vitest run`, 'npm run jiaowu -- login'].map(startsCommand)).toEqual([
    false,
    false,
  ])
})

function startsCommand(line: string): boolean {
  return /\b(?:npx|npm exec|pnpm dlx|bunx)\s+(?:-\S+\s+)*(?:--\s+)?jiaowu\b/.test(line)
}
