// Reads ndjson files: one JSON object per line, keyed by attrName, with wire values, as exports
// write it.
import { parseJson } from '@jiaowu/api/exact-json'
import {
  cellIsBlank,
  FileProblem,
  firstRows,
  type RawCell,
  type RawRow,
  readChunk,
  type ReadLimits,
  type SheetReading,
} from './model.ts'
import { textOfFile } from './csv-rows.ts'

/** Characters; the same limit as for a JSON body (docs/rules/contract.md#envelope). */
const maxLine = 1_048_576

export async function readNdjson(path: string, limits: ReadLimits): Promise<SheetReading> {
  const columns = await collectKeys(path, limits)
  const rows = await firstRows(records(path, columns, limits))
  return {
    head: { sheets: [{ name: '', rows }], from1904: false, signature: null },
    rows: () => records(path, columns, limits),
  }
}

function parseJsonObject(line: string, row: number): Readonly<Record<string, unknown>> {
  try {
    const value = parseJson(line) as unknown
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // falls through to the same error as a line that is not an object
  }
  throw new FileProblem({ key: 'transfer.file.line', params: { row } })
}

/** All keys of the file in order of first appearance; lines may have different keys. */
async function collectKeys(path: string, limits: ReadLimits): Promise<ReadonlyMap<string, number>> {
  const columns = new Map<string, number>()
  for await (const { value } of objects(path)) {
    for (const key of Object.keys(value)) if (!columns.has(key)) columns.set(key, columns.size)
    if (columns.size > limits.columns)
      throw new FileProblem({ key: 'transfer.file.tooManyColumns', params: { n: limits.columns } })
  }
  return columns
}

function toRawCells(
  value: Readonly<Record<string, unknown>>,
  columns: ReadonlyMap<string, number>,
  limits: ReadLimits,
): RawCell[] {
  const cells: RawCell[] = Array.from({ length: columns.size }, () => null)
  for (const [key, wire] of Object.entries(value)) {
    const column = columns.get(key)
    if (column !== undefined)
      cells[column] =
        typeof wire === 'string' && wire.length > limits.cell
          ? { odd: 'tooLong', text: wire.slice(0, 40_000) }
          : { wire }
  }
  return cells
}

async function* splitFileLines(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const text of textOfFile(path)) {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    if (rest.length > maxLine) throw new FileProblem({ key: 'transfer.file.broken' })
    yield* parts
  }
  yield rest
}

async function* objects(
  path: string,
): AsyncGenerator<{ row: number; value: Readonly<Record<string, unknown>> }> {
  let row = 0
  for await (const line of splitFileLines(path)) {
    row += 1
    const text = line.replace(/^\uFEFF/, '').trim()
    if (text !== '') yield { row, value: parseJsonObject(text, row) }
  }
}

/** Yields a heading of attrNames as row 0; the rows of data are numbered from 1. */
async function* records(
  path: string,
  columns: ReadonlyMap<string, number>,
  limits: ReadLimits,
): AsyncGenerator<RawRow[]> {
  let rows: RawRow[] = [{ row: 0, cells: [...columns.keys()] }]
  for await (const { row, value } of objects(path)) {
    const cells = toRawCells(value, columns, limits)
    if (!cells.every(cellIsBlank)) rows.push({ row, cells })
    if (rows.length >= readChunk) {
      yield rows
      rows = []
    }
  }
  yield rows
}
