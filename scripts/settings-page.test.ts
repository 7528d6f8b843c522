import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildSettingsPage, findUnexplained } from './settings-page.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/operations/settings.md'), 'utf8')

it('has a row for each setting, with its default and what it accepts (node scripts/settings-page.ts)', () => {
  expect(page).toBe(buildSettingsPage(page))
})

it('says what each setting is for', () => {
  expect(findUnexplained(page)).toEqual([])
})

it('drops a setting that is gone and adds one that is new', () => {
  const without = page.replace(/^\| `PORT` .*\n/m, '')
  expect(findUnexplained(buildSettingsPage(without))).toEqual(['PORT'])
  const gone = page.replace('| `HOST` |', '| `HOST_OF_OLD` |')
  expect(buildSettingsPage(gone)).not.toContain('HOST_OF_OLD')
})
