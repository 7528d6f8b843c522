// What the server is asked where a list has too many rows to read them all.
import { type DictItem, dictTypes, type Field, isFilterable, kindOf, type Row } from '@jiaowu/api'
import type { Block } from '../clipboard/clipboard.ts'
import type { GridContext } from '../context.ts'
import { isEditable } from '../selection/places.ts'
import { isNamed, keyFields } from './fields.ts'
import { fieldsByLabel, findHeading } from './heading.ts'

/** Rows whose value of a field is one of these texts. */
export interface KeyAsk {
  /** The field whose values name rows. */
  readonly key: string
  /** The field that lists are filtered by. */
  readonly attrName: string
  readonly texts: readonly string[]
  /** The relation whose records have these names; null: the values are the texts themselves. */
  readonly fieldId: string | null
}
/** Texts that are looked for in one field; a record of a relation is one call. */
const mostTexts = { values: 5_000, records: 500 }

/** The texts of a block that can be keys, for each field that lists filter by. */
export function asksOf(context: GridContext, block: Block): readonly KeyAsk[] {
  const { config, columns, selection } = context
  if (config === null) return []
  const heading = findHeading(fieldsByLabel(config, columns), block, () => false)
  const body = block.slice(heading?.line ?? 0)
  const left = Math.min(selection.anchor.col, selection.focus.col)
  const keys = keyFields(config, (field) => isEditable(context, field, false))
  const asks = (fields: readonly Field[]) =>
    fields.flatMap((field) => {
      if ((field.pii ?? null) !== null) return []
      const named = heading?.fields.indexOf(field) ?? -1
      if (kindOf(field.uiType).family === 'text')
        return asked(field, isAsked(field) ? field.attrName : null, null, {
          texts: textsIn(body, named === -1 ? null : named),
          most: mostTexts.values,
        })
      const placed = columns.indexOf(field) - left
      // A column at its place whose heading names another field is none of its.
      const column = named === -1 && (heading?.fields[placed] ?? null) === null ? placed : named
      return field.dictType === dictTypes.entity && column >= 0
        ? asked(field, filterOf(context, field), field.id, {
            texts: textsIn(body, column),
            most: mostTexts.records,
          })
        : []
    })
  // What only narrows the rows of a key down is asked for where there is none.
  const named = asks(keys.filter((field) => isNamed(config, field)))
  return named.length > 0 ? named : asks(keys)
}

function asked(
  { attrName: key }: Field,
  attrName: string | null,
  fieldId: string | null,
  { texts, most }: { readonly texts: readonly string[]; readonly most: number },
): KeyAsk[] {
  return attrName === null || texts.length === 0 || texts.length > most
    ? []
    : [{ key, attrName, texts, fieldId }]
}

function isAsked(field: Field): boolean {
  return field.isQuery === 1 && isFilterable(kindOf(field.uiType))
}

/** The field by which lists find the records of a relation: itself, or another of the same records. */
function filterOf({ config, blocks }: GridContext, field: Field): string | null {
  if (isAsked(field)) return field.attrName
  const rows = Object.values(blocks).flat()
  const idIn = (row: Row, { attrName }: Field) => {
    const value = row[attrName]
    return Array.isArray(value) ? (value as readonly DictItem[])[0]?.id : undefined
  }
  const other = config?.fields.find(
    (each) =>
      each !== field &&
      each.dictType === dictTypes.entity &&
      isAsked(each) &&
      rows.length > 0 &&
      rows.every((row) => idIn(row, each) !== undefined && idIn(row, each) === idIn(row, field)),
  )
  return other?.attrName ?? null
}

/** As they stand and in half width: the server compares whole values. `column` null: of all. */
function textsIn(block: Block, column: number | null): string[] {
  const cells = block.flatMap((row) => (column === null ? row : (row[column] ?? '')))
  return [
    ...new Set(
      cells.flatMap((cell) => {
        const text = cell.trim().replace(/^'/, '')
        return text === '' ? [] : [text, text.normalize('NFKC').trim()]
      }),
    ),
  ]
}
