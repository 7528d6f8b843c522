import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type MachineName, models } from '../../machines/registry.ts'
import { documentName, machineDocument } from './document.ts'
import { keptFile, readKept, tableDocument } from './table-document.ts'

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
