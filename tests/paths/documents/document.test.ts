import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type MachineName, models } from '../../machines/registry.ts'
import { documentName, machineDocument } from './document.ts'
import { keptFile, readKept, tableDocument, withRows } from './table-document.ts'

const folder = join(import.meta.dirname, '../../../docs/machines')
const names = Object.keys(models) as MachineName[]

describe('docs/machines, written by `node tests/paths/documents/write-documents.ts`', () => {
  test.each(names)('%s is as its machine is', (name) => {
    expect(readFileSync(join(folder, documentName(name)), 'utf8')).toBe(machineDocument(name))
  })
  test('has a page for each machine and no other', () => {
    expect(
      readdirSync(folder)
        .filter((name) => ![keptFile, 'README.md'].includes(name))
        .sort(),
    ).toEqual(names.map(documentName).sort())
  })
  test('has the table of all of them', () => {
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(tableDocument(readKept()))
    // Explores every machine: 48 s beside other work.
  }, 120_000)
})

test.each([
  ['a walk of fewer edges of the same graph is left out', { edges: 9, walked: 3 }, 9],
  ['a walk of another graph replaces the kept one', { edges: 8, walked: 3 }, 3],
  ['a walk that failed replaces the kept one', { edges: 9, walked: 3, failed: 1 }, 3],
])('%s', (_what, figures, expected) => {
  const full = { edges: 9, walked: 9, paths: 2, steps: 20 }
  const walk = { states: 1, transitions: 1, paths: 1, steps: 5, ms: 1, failed: 0, ...figures }
  const kept = withRows({ tags: { surfaces: { terminal: full }, broken: {} } }, [
    { machine: 'tags', surfaces: { terminal: walk }, broken: {} },
  ])
  expect(kept.tags?.surfaces.terminal?.walked).toBe(expected)
})
