import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from './table.ts'
import { keptFile, machinesFolder, readKept, tableDocument, withRows } from './table-document.ts'

/** Writes the figures of a run into docs/machines. */
export function keepTable(rows: readonly Row[]): void {
  const kept = withRows(readKept(), rows)
  writeFileSync(join(machinesFolder, keptFile), `${JSON.stringify(kept, null, 1)}\n`)
  writeFileSync(join(machinesFolder, 'README.md'), tableDocument(kept))
}
