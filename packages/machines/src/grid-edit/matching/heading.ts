// The line of a block that names its columns.
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import type { Block } from '../clipboard/clipboard.ts'
import { listedFields } from './fields.ts'
import { foldText, isDatum } from './texts.ts'

export interface FoundHeading {
  /** Its number, from 1. */
  readonly line: number
  /** The field of each column; null: named in other words than the labels. */
  readonly fields: readonly (Field | null)[]
}

/** Lines: titles of a table may stand above its heading. */
const mostTitles = 5

/** Null when no line names a column. `isKnown`: whether a text is the key of a row. */
export function findHeading(
  fields: ReadonlyMap<string, Field>,
  block: Block,
  isKnown: (text: string) => boolean,
): FoundHeading | null {
  for (const [at, cells] of block.slice(0, mostTitles).entries()) {
    const given = cells.filter((cell) => cell.trim() !== '')
    if (at + 1 === block.length || given.some((cell) => isDatum(cell) || isKnown(cell))) return null
    const found = cells.map((cell) => fields.get(bareLabel(cell)) ?? null)
    if (found.some((field) => field !== null))
      return {
        line: at + 1,
        fields: found.map((each, i) => (found.indexOf(each) === i ? each : null)),
      }
  }
  return null
}

/** Fields by their labels; those of columns in sight before others of the same label. */
export function fieldsByLabel(
  config: EntityConfig,
  columns: readonly Field[],
): ReadonlyMap<string, Field> {
  const named = new Map<string, Field>()
  for (const field of [...columns, ...listedFields(config)])
    for (const label of [field.uiLabel, field.options.labelEn ?? '', field.attrName]) {
      const bare = bareLabel(label)
      if (bare !== '' && !named.has(bare)) named.set(bare, field)
    }
  return named
}

/** Whether a text is the label of a field. */
export function isLabel(config: EntityConfig, columns: readonly Field[], text: string): boolean {
  return fieldsByLabel(config, columns).has(bareLabel(text))
}

/** Without the marks that templates and people add: `*`, `（必填）`. */
function bareLabel(label: string): string {
  return foldText(label.replace(/[（(【[].*?[）)】\]]/g, '')).replace(/[*:：_-]/g, '')
}
