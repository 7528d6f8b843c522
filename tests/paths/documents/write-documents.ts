// Writes docs/machines from the machines.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MachineName, models } from '../../machines/registry.ts'
import { documentName, machineDocument } from './document.ts'
import { readKept, tableDocument } from './table-document.ts'

const folder = join(import.meta.dirname, '../../../docs/machines')
mkdirSync(folder, { recursive: true })
for (const name of Object.keys(models) as MachineName[])
  writeFileSync(join(folder, documentName(name)), machineDocument(name))
writeFileSync(join(folder, 'README.md'), tableDocument(readKept()))
