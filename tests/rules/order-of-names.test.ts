// Texts are ordered in one place: the order of a machine's own language differs from that of the database.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
/** Makes the order, and the tests that compare it with that of browsers. */
const owners = [
  'packages/api/src/compare-names.ts',
  'apps/server/src/platform/database/migrations/sort-keys.test.ts',
  'apps/server/src/entities/read/order/shown-order.test.ts',
]
const ownOrder =
  /\.localeCompare\b|\bIntl\s*\.\s*Collator\b|\{[^}]*\bCollator\b[^}]*\}\s*=\s*Intl\b/
const files = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.js', '*.mjs'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((name) => name !== '' && existsSync(join(root, name)))

function ordersItself(source: string): boolean {
  return ownOrder.test(source)
}

describe('an order of texts', () => {
  it('is that of compareNames or compareCodes', () => {
    const found = files.filter(
      (name) =>
        name !== 'tests/rules/order-of-names.test.ts' &&
        ordersItself(readFileSync(join(root, name), 'utf8')),
    )
    expect(found.toSorted()).toEqual(owners.toSorted())
  })

  it.each([
    ['a.localeCompare(b)', true],
    ["new Intl.Collator('zh')", true],
    ['const { Collator } = Intl', true],
    ['compareNames(a, b)', false],
  ])('%s is told from one of its own: %s', (source, own) => {
    expect(ordersItself(source)).toBe(own)
  })
})
