import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const uiType = String.raw`[\w.?\[\]]*\buiType\b`
/** Ways to test for particular kinds instead of reading their properties. */
const comparisons = [
  new RegExp(String.raw`${uiType}\s*[!=]==?\s*['"]`),
  new RegExp(String.raw`['"]\s*[!=]==?\s*${uiType}`),
  new RegExp(String.raw`\.(?:includes|has|indexOf)\(\s*${uiType}`),
  new RegExp(String.raw`\bswitch \(\s*${uiType}\s*\)`),
  new RegExp(String.raw`\buiType\s+in\s+\w`),
]

describe('field kinds', () => {
  it('detects every form of comparison', () => {
    const samples = [
      "if (field.uiType === 'password') return null",
      "kindOf('date') && 'date' !== field?.uiType",
      "['password', 'uploadImg'].includes(\n  field.definition.uiType)",
      'switch (uiType) {',
      'return uiType in names',
    ]
    expect(samples.filter((text) => findKindComparisons(text).length === 0)).toEqual([])
    expect(findKindComparisons("const kinds = { uiType: 'input' } // uiTypes === all")).toEqual([])
  })

  it('are distinguished by their properties only (docs/rules/design.md#field-kinds)', async () => {
    const places: string[] = []
    for (const folder of ['apps', 'packages', 'bench'])
      for (const path of await listSourceFiles(join(root, folder)))
        for (const line of findKindComparisons(await readFile(path, 'utf8')))
          places.push(`${relative(root, path)}:${line}`)
    expect(places).toEqual([])
  })
})

/** The lines of `text` that compare a uiType. */
function findKindComparisons(text: string): number[] {
  return comparisons
    .flatMap((pattern) => [...text.matchAll(new RegExp(pattern, 'g'))])
    .map(({ index }) => text.slice(0, index).split('\n').length)
}

async function listSourceFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const lists = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory())
        return ['node_modules', 'dist', 'data'].includes(entry.name) ? [] : listSourceFiles(path)
      return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : []
    }),
  )
  return lists.flat()
}
