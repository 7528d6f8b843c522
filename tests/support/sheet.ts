import { readFile } from 'node:fs/promises'
import { readSheets } from '../../apps/server/testing/sheets/read-sheets.ts'

export interface ReadSheet {
  readonly name: string
  readonly rows: readonly (readonly unknown[])[]
}

/** The first sheet of a file that the product wrote. */
export async function readSheet(path: string): Promise<ReadSheet> {
  const bytes = await readFile(path)
  const [first] = await readSheets(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  )
  if (first === undefined) throw new Error(`no sheet in ${path}`)
  return { name: first[0], rows: first[1] }
}
