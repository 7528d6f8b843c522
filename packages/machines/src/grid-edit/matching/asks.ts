// Questions to the server where a list has too many rows to read them all.
import type { DictItem, Row } from '@jiaowu/api/entity/values'
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { Field } from '@jiaowu/api/entity/config'
import { isFilterable, findKind } from '@jiaowu/api/fields/kinds'
import { limits } from '@jiaowu/api/limits'
import type { Block } from '../clipboard/clipboard.ts'
import type { Finding, GridContext } from '../context.ts'
import { isEditable } from '../selection/places.ts'
import { isNamed, keyFields } from './fields.ts'
import { fieldsByLabel, findHeading } from './heading.ts'
import type { KeyAsk } from './types.ts'

/** Texts that are looked for in one field. */
const mostTexts = 20_000

/** The texts of a block that can be keys, for each field that lists filter by. */
export function listKeyAsks(context: GridContext, block: Block): readonly KeyAsk[] {
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
      if (findKind(field.uiType).family === 'text')
        return buildKeyAsk(field, isAsked(field) ? field.attrName : null, null, {
          texts: textsIn(body, named === -1 ? null : named),
        })
      const placed = columns.indexOf(field) - left
      // A column at its place whose heading names another field is none of its.
      const column = named === -1 && (heading?.fields[placed] ?? null) === null ? placed : named
      return field.dictType === dictTypes.entity && column >= 0
        ? buildKeyAsk(field, findFilterField(context, field), field.id, {
            texts: textsIn(body, column),
          })
        : []
    })
  // Columns that only narrow the rows of a key down are asked for where there is none.
  const named = asks(keys.filter((field) => isNamed(config, field)))
  return named.length > 0 ? named : asks(keys)
}

/** The rows of a block are asked for in parts, each of which one condition takes. */
export function newFinding(context: GridContext, block: Block): Finding {
  const parts = listKeyAsks(context, block).flatMap((ask) =>
    Array.from({ length: Math.ceil(ask.texts.length / limits.maxInValues) }, (_part, at) => ({
      ...ask,
      texts: ask.texts.slice(at * limits.maxInValues, (at + 1) * limits.maxInValues),
    })),
  )
  return { parts, answered: 0, rows: [] }
}

/** With the rows of one more part. */
export function withFound(finding: Finding, rows: readonly Row[]): Finding {
  const all = new Map([...finding.rows, ...rows].map((row) => [row.id, row]))
  return { ...finding, answered: finding.answered + 1, rows: [...all.values()] }
}

/** The texts that are looked for, and how many of them are done; null where there is one part at most. */
export function countFoundTexts({
  parts,
  answered,
}: Finding): { readonly done: number; readonly all: number } | null {
  const count = (some: Finding['parts']) => some.reduce((sum, { texts }) => sum + texts.length, 0)
  return parts.length > 1 ? { done: count(parts.slice(0, answered)), all: count(parts) } : null
}

function buildKeyAsk(
  { attrName: key }: Field,
  attrName: string | null,
  fieldId: string | null,
  { texts }: { readonly texts: readonly string[] },
): KeyAsk[] {
  return attrName === null || texts.length === 0 || texts.length > mostTexts
    ? []
    : [{ key, attrName, texts, fieldId }]
}

function isAsked(field: Field): boolean {
  return field.isQuery === 1 && isFilterable(findKind(field.uiType))
}

/** The field by which lists find the records of a relation: itself, or another of the same records. */
function findFilterField({ config, blocks }: GridContext, field: Field): string | null {
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
