// The list of deployed packages (docs/operations/parts.md) is the lock file's, and holds no package
// that is refused.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listParts, readBillOfMaterials, readList } from '../../scripts/parts.ts'
import { refusedParts, refusedLicences } from './parts.ts'

const list = readList(
  readFileSync(join(import.meta.dirname, '../../docs/operations/parts.md'), 'utf8'),
)

describe('deployed packages', () => {
  it('are those of the list, with version and licence', () => {
    const deployed = listParts(readBillOfMaterials())
    expect(deployed.length).toBeGreaterThan(200)
    // After a change of package-lock.json: npm run parts
    expect(list.map(({ name, version, licence }) => ({ name, version, licence }))).toEqual(deployed)
  })

  it('have a day of release', () => {
    const without = list.filter(({ published }) => !/^\d{4}-\d\d-\d\d$/.test(published ?? ''))
    expect(without).toEqual([])
  })

  it('have licences that are agreed on', () => {
    expect(refusedLicences(list)).toEqual([])
  })

  it('hold none that is refused', () => {
    expect(refusedParts(list)).toEqual([])
  })
})

describe('the judgement of packages', () => {
  const part = { version: '1.0.0', licence: 'MIT' }

  it.each([
    ['GPL-3.0', 1],
    ['', 1],
    ['UNLICENSED', 1],
    ['MIT', 0],
    ['(MPL-2.0 OR Apache-2.0)', 0],
    ['MIT AND GPL-2.0', 1],
  ])('takes or refuses the licence %j', (licence, count) => {
    expect(refusedLicences([{ ...part, name: 'some', licence }])).toHaveLength(count)
  })

  it('takes the weak copyleft of a shared library alone', () => {
    const licence = 'LGPL-3.0-or-later'
    expect(refusedLicences([{ ...part, name: '@img/sharp-libvips-linux-x64', licence }])).toEqual(
      [],
    )
    expect(refusedLicences([{ ...part, name: 'other', licence }])).toHaveLength(1)
  })

  it.each([
    ['inflight', '1.0.6', 1],
    ['glob', '7.2.3', 1],
    ['glob', '13.0.0', 0],
    ['uuid', '8.3.2', 1],
  ])('refuses or takes %s %s', (name, version, count) => {
    expect(refusedParts([{ ...part, name, version }])).toHaveLength(count)
  })
})
