// Packages that run a program while they are installed are known, and package.json says of each
// whether it may: npm asks that of newer versions on, and a new one does not come unnoticed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

it('decides on each package with an install script', () => {
  const { packages } = v.parse(
    v.object({
      packages: v.record(v.string(), v.object({ hasInstallScript: v.optional(v.boolean()) })),
    }),
    readJson('package-lock.json'),
  )
  const { allowScripts } = v.parse(
    v.object({ allowScripts: v.record(v.string(), v.boolean()) }),
    readJson('package.json'),
  )
  const withScript = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript === true ? path.slice(path.lastIndexOf('node_modules/') + 13) : [],
  )
  expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(withScript)].toSorted())
})

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(root, name), 'utf8'))
}
