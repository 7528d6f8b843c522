import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type MachineName, models } from '../models/registry.ts'
import { documentName, machineDocument } from './document.ts'

const folder = join(import.meta.dirname, '../../../docs/machines')
const names = Object.keys(models) as MachineName[]

describe('docs/machines, written by `node tests/src/paths/write-documents.ts`', () => {
  test.each(names)('%s is as its machine is', (name) => { expect(readFileSync(join(folder, documentName(name)), 'utf8')).toBe(machineDocument(name)) })
  test('has a page for each machine and no other', () => { expect(readdirSync(folder).sort()).toEqual(names.map(documentName).sort()) })
})
