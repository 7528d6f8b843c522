// No plain object is searched for a name that users choose with `in`: every object has a `toString`.
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

it('names that users choose are looked up with Object.hasOwn', async () => {
  const found: string[] = []
  let files = 0
  for await (const file of glob('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root })) {
    if (/\.test\.tsx?$/.test(file)) continue
    files += 1
    const source = readFileSync(resolve(root, file), 'utf8')
    const program = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
    found.push(...searchesIn(program, source).map((text) => `${file}: ${text}`))
  }
  expect(files).toBeGreaterThan(800)
  expect(found).toEqual(['packages/api/src/fields/derive.ts: name in Object.prototype'])
})

it('finds such a search', () => {
  const source = `const a = name in values; const b = 'id' in values; for (const c in a) b`
  expect(searchesIn(parseAst(source, { lang: 'ts' }), source)).toEqual(['name in values'])
})

/** The sources of `… in …` whose left side is not a literal. */
function searchesIn(node: unknown, source: string): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { type, operator, left, start, end } = node as Record<string, unknown>
  const own =
    type === 'BinaryExpression' &&
    operator === 'in' &&
    (left as { type: string }).type !== 'Literal' &&
    typeof start === 'number' &&
    typeof end === 'number'
      ? [source.slice(start, end)]
      : []
  return [...own, ...Object.values(node).flatMap((child) => searchesIn(child, source))]
}
