import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chooseTests, keepSeconds, readSeconds } from './changed-tests.ts'

const list = 'tests/machines/entity-list/web.test.tsx'
const machine = 'tests/machines/entity-list/machine.test.ts'
const form = 'tests/machines/entity-form/web.test.tsx'
const journey = 'tests/journeys/list.test.ts'
const affected = [journey, form, list, machine]
const seconds = { [list]: 30, [machine]: 4, [form]: 8, [journey]: 90 }

it('takes the nearest tests first, the quickest of equal ones, and names what does not fit', () => {
  const changed = ['packages/machines/src/entity-list/machine.ts']
  expect(chooseTests(affected, changed, seconds, 20)).toEqual({
    chosen: [machine, list],
    left: [form, journey],
  })
  expect(chooseTests(affected, changed, seconds, 60).left).toEqual([journey])
})

it('always takes tests that were changed, and knows nothing of files that never ran', () => {
  expect(chooseTests(affected, [journey], seconds, 1).chosen).toEqual([journey])
  const beside = ['packages/api/src/url.test.ts', 'packages/api/src/entity/draft.test.ts']
  const choice = chooseTests([...affected, ...beside], ['packages/api/src/url.ts'], {}, 5)
  expect(choice.chosen).toEqual(beside)
})

it('keeps the seconds of earlier runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'seconds-'))
  try {
    const file = join(folder, 'cache', 'seconds.json')
    expect(readSeconds(file)).toEqual({})
    keepSeconds(file, { [list]: 30, [form]: 7 })
    keepSeconds(file, { [form]: 8 })
    expect(readSeconds(file)).toEqual({ [list]: 30, [form]: 8 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
