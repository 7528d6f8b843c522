// What the server is asked where a list has too many rows to read them all.
import { type Field, isFilterable, kindOf } from '@jiaowu/api'
import type { Block } from '../clipboard/clipboard.ts'
import type { GridContext } from '../context.ts'
import { isEditable } from '../selection/places.ts'
import { keyFields } from './fields.ts'
import { fieldsByLabel, findHeading } from './heading.ts'

/** Rows whose value of a field is one of these texts. */
export interface KeyAsk {
  readonly attrName: string
  readonly texts: readonly string[]
}
/** Texts that are looked for in one field. */
const mostTexts = 5_000

/** The texts of a block that can be keys, for each field that lists filter by. */
export function asksOf(context: GridContext, block: Block): readonly KeyAsk[] {
  const { config, columns } = context
  if (config === null) return []
  const heading = findHeading(fieldsByLabel(config, columns), block, () => false)
  const body = block.slice(heading?.line ?? 0)
  return keyFields(config, (field) => isEditable(context, field, false))
    .filter(isAsked)
    .flatMap((field) => {
      const column = heading?.fields.indexOf(field) ?? -1
      const texts = textsIn(body, column === -1 ? null : column)
      return texts.length === 0 || (column === -1 && texts.length > mostTexts)
        ? []
        : [{ attrName: field.attrName, texts: texts.slice(0, mostTexts) }]
    })
}

function isAsked(field: Field): boolean {
  const kind = kindOf(field.uiType)
  return (
    field.isQuery === 1 &&
    isFilterable(kind) &&
    kind.family === 'text' &&
    (field.pii ?? null) === null
  )
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
