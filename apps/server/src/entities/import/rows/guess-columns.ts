// The fields of columns without a heading, by their values: a text from a chat, a block of bare cells.
import type { SheetColumnInfo } from '@jiaowu/api/contract/job'
import { validateField } from '@jiaowu/validation'
import { sql } from 'kysely'
import { type EntityAccess, isAllowed } from '../../../access/access.ts'
import type { Context } from '../../../model/context.ts'
import { type LoadedField, valueFields } from '../../../model/definition/loaded.ts'
import { columnRef } from '../../../model/definition/names.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import { cellText, type RawRow } from '../../sheets/read/model.ts'
import { decodeCell } from './decode.ts'
import { createResolver, type Resolver } from './resolve.ts'

/** The share of a column's cells that have to fit a field. */
const enough = 0.8
/** Stored rows whose values show what texts of a field look like. */
const sampled = 200

/** Whether a row is data and no heading: it holds an address, a date or a long number. */
export function isDataRow({ cells }: RawRow): boolean {
  return cells.some((cell) =>
    /\d{5}|@|\d[-/.年]\d{1,2}[-/.月]\d/.test(cellText(cell).normalize('NFKC')),
  )
}

/** The columns with the fields that their values fit best; each field once. */
export async function guessColumns(
  context: Context,
  access: EntityAccess,
  rows: readonly RawRow[],
  columns: readonly SheetColumnInfo[],
): Promise<SheetColumnInfo[]> {
  const fields = valueFields(access.entity).filter((field) => isAllowed(access, field, 'add'))
  const cellsAt = new Map(
    columns.map(({ column }) => [
      column,
      rows
        .map(({ cells }) => cellText(cells[column - 1] ?? null).trim())
        .filter((text) => text !== ''),
    ]),
  )
  const resolver = await createResolver(context, fields)
  const words = new Set([...cellsAt.values()].flat())
  for (const { kind, definition } of fields)
    if (kind.family === 'choice') await resolver.prepare(definition.attrName, words, new Set())
  const shapes = await learnShapes(context, access, fields)
  const scored: { readonly column: number; readonly attrName: string; readonly score: number }[] =
    []
  for (const [column, cells] of cellsAt)
    for (const field of fields) {
      const { attrName } = field.definition
      const isTitle = attrName === access.entity.definition.tagField
      const looks = { isTitle, shapes: shapes.get(attrName) ?? new Set<string>() }
      const score = await scoreColumn(resolver, field, cells, looks)
      if (score > 0) scored.push({ column, attrName, score })
    }
  const found = new Map<number, string>()
  for (const { column, attrName } of scored.toSorted((a, b) => b.score - a.score))
    if (!found.has(column) && ![...found.values()].includes(attrName)) found.set(column, attrName)
  return columns.map((column) => {
    const attrName = column.attrName === null ? found.get(column.column) : undefined
    return attrName === undefined ? column : { ...column, attrName, by: 'values' }
  })
}

interface Looks {
  /** Names of people and things are told by nothing but being the title. */
  readonly isTitle: boolean
  readonly shapes: ReadonlySet<string>
}

/** How surely a column is a field: 0, or more for values that few other fields take. */
async function scoreColumn(
  resolver: Resolver,
  field: LoadedField,
  cells: readonly string[],
  { isTitle, shapes }: Looks,
): Promise<number> {
  const share = (fits: (cell: string) => boolean) => {
    const part = cells.length === 0 ? 0 : cells.filter(fits).length / cells.length
    return part >= enough ? part : 0
  }
  const { definition, kind } = field
  const decoded = (cell: string) => decodeCell(field, cell, false).kind === 'value'
  switch (kind.family) {
    case 'choice': {
      const known = new Set<string>()
      for (const word of new Set(cells)) {
        const result = await resolver.resolve(field, { word }, () => null)
        if ('item' in result || result.rule === 'ambiguous') known.add(word)
      }
      return share((cell) => known.has(cell)) * 4
    }
    case 'temporal':
      return share((cell) => /\D/.test(cell) && decoded(cell)) * 3
    case 'text': {
      const isRuled = (definition.valids.type ?? '') !== ''
      const ruled = isRuled
        ? share(
            (cell) =>
              /\d{5}|@/.test(cell) && decoded(cell) && validateField(definition, cell) === null,
          )
        : 0
      const plain = /^[汉a ]+$/
      const shaped = share((cell) => shapes.has(toShape(cell)) && !plain.test(toShape(cell)))
      const titled = isTitle ? share((cell) => plain.test(toShape(cell))) : 0
      return Math.max(
        shaped * (field.definition.valids.required === true ? 3.5 : 2.5),
        ruled * 3,
        titled,
      )
    }
    default:
      return 0
  }
}

/** Learns the shapes of a field's texts, by those that are stored and that the reader may see. */
async function learnShapes(
  context: Context,
  access: EntityAccess,
  fields: readonly LoadedField[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const texts = fields.flatMap(({ definition, kind, column, pii, sealer }) =>
    kind.family === 'text' && !kind.secret && column !== null && pii === null && sealer === null
      ? [{ attrName: definition.attrName, name: column.name }]
      : [],
  )
  if (texts.length === 0) return new Map()
  const columns = sql.join(
    texts.map(({ name }, i) => sql`${columnRef(name)}::text as ${sql.id(`t${i}`)}`),
  )
  const { rows } = await sql<Record<string, string | null>>`
    select ${columns} from ${fromTable(access.entity)} where ${access.rows}
    limit ${sampled}`.execute(databaseOf(context))
  return new Map(
    texts.map(({ attrName }, i) => [
      attrName,
      new Set(rows.flatMap((row) => (row[`t${i}`] == null ? [] : [toShape(row[`t${i}`] ?? '')]))),
    ]),
  )
}

/** `张三` is 汉, `T9001` is a9{4}, `zhang@school.cn` is a@a.a. */
function toShape(text: string): string {
  return text
    .normalize('NFKC')
    .trim()
    .replace(/\p{Script=Han}+/gu, '汉')
    .replace(/[A-Za-z]+/g, 'a')
    .replace(/\d+/g, (digits) => `9{${digits.length}}`)
}
