import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
/**
 * Selectors of classes that are left in journeys and their support. Journeys find screens by role and label, as
 * people do; a number here may only fall.
 */
const left: Readonly<Record<string, number>> = {
  'tests/journeys/designer.test.ts': 2,
  'tests/journeys/grid.test.ts': 2,
  'tests/journeys/list.test.ts': 6,
  'tests/journeys/transfer.test.ts': 1,
  'tests/journeys/views.test.ts': 4,
  'tests/support/browser/browser-fixture.ts': 1,
  'tests/support/browser/browser.ts': 1,
  'tests/support/browser/grid-page.ts': 2,
}

it('finds screens by role and label in journeys, not by class', () => {
  const found = globSync(['tests/journeys/*.ts', 'tests/support/**/*.ts'], { cwd: root }).flatMap(
    (file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const count = text.match(/\.(jw|bp6)-[a-z]/g)?.length ?? 0
      return count === 0 ? [] : [[file, count]]
    },
  )
  expect(Object.fromEntries(found)).toEqual(left)
})
