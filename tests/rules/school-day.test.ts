// "Today" is a day of the school (`schoolDay`): the day of UTC is the one before during the school's first eight
// hours, and the day of the machine depends on the machine.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

/** The day of UTC of the present moment, and parts of a moment by the machine's own zone. */
const foreignDay =
  /(?:\b(?:now|today)\(\)|new Date\((?:now\(\)|Date\.now\(\))?\))\.toISOString\(\)\.(?:slice\(0, 10\)|split)|\.get(?:Month|Date|Hours|Day)\(\)/

/** Figures of a benchmark are dated by UTC, as the machine is. */
const sources = '{apps,packages}/*/{src,testing}/**/*.{ts,tsx}'

it('takes the present day from the zone of the school', () => {
  const paths = [
    ...globSync(sources, { cwd: root }),
    ...globSync('tests/**/*.{ts,tsx}', { cwd: root, exclude: ['**/node_modules'] }),
  ].filter((path) => !path.endsWith('rules/school-day.test.ts'))
  expect(paths.length).toBeGreaterThan(1500)
  const found = paths.filter((path) => foreignDay.test(readFileSync(join(root, path), 'utf8')))
  expect(found).toEqual([])
})

it('finds such a day', () => {
  const written = [
    'now().toISOString().slice(0, 10)',
    'app.services.now().toISOString().slice(0, 10)',
    'new Date().toISOString().split(',
    'new Date(now()).toISOString().slice(0, 10)',
    'date.getDate()',
    'new Date(Date.UTC(2026, 0, 1)).toISOString().slice(0, 10)',
    'date.getUTCDate()',
  ]
  expect(written.filter((text) => foreignDay.test(text))).toEqual(written.slice(0, 5))
})
