// Pasted text compared with the values of rows: width, case, blanks and notations aside.
import type { Field } from '@jiaowu/api/entity/config'
import { isEmpty, findKind } from '@jiaowu/api/fields/kinds'
import { looksMasked } from '@jiaowu/api/pii'
import type { Row } from '@jiaowu/api/entity/values'
import { valueText } from '@jiaowu/api/fields/money'
import { readTyped } from '@jiaowu/validation'
import { sameIds } from '../../entity-form/values.ts'

/** Text without what people do not see: width, case, blanks, marks of no width, the quote of a text cell. */
export function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/^'/, '')
}

/** Whether a cell holds what the row holds; a masked value says nothing and counts as equal. */
export function holdsText(field: Field, row: Row, text: string): boolean {
  const value = row[field.attrName] ?? null
  if (looksMasked(value) || looksMasked(text)) return true
  const shown = valueText(field, value)
  const [held, plain] = [foldText(shown), foldText(text)]
  if (held === plain || (withoutZeros(held) ?? held) === withoutZeros(plain)) return true
  if (findKind(field.uiType).family === 'choice') {
    const words = (all: string) =>
      all
        .split(/[,，、;；]/)
        .map(foldText)
        .toSorted()
        .join('\n')
    return findKind(field.uiType).multiple && words(shown) === words(text)
  }
  const typed = readTyped(field, text).value
  return !isEmpty(typed) && typed !== undefined && sameIds(typed, value)
}

/** The rows by the text of a column: as it stands, folded, and without the zeros that spreadsheets drop. */
export interface TextIndex {
  readonly find: (text: string) => readonly Row[]
}

export function indexRows(field: Field, rows: readonly Row[]): TextIndex {
  const [exact, folded, bare] = [newGroups(), newGroups(), newGroups()]
  for (const row of rows) {
    const value = row[field.attrName]
    if (isEmpty(value) || looksMasked(value)) continue
    const text = valueText(field, value)
    addToGroup(exact, text.trim(), row)
    addToGroup(folded, foldText(text), row)
    const digits = withoutZeros(foldText(text))
    if (digits !== null) addToGroup(bare, digits, row)
  }
  return {
    find: (text) => {
      const plain = foldText(text)
      if (plain === '') return []
      const digits = withoutZeros(plain)
      return (
        exact.get(text.trim()) ??
        folded.get(plain) ??
        (digits === null ? undefined : bare.get(digits)) ??
        []
      )
    },
  }
}

const newGroups = () => new Map<string, Row[]>()

function addToGroup(groups: Map<string, Row[]>, text: string, row: Row): void {
  const known = groups.get(text)
  if (known === undefined) groups.set(text, [row])
  else known.push(row)
}

/** Null for other text than digits. `.0` is what a number cell adds. */
function withoutZeros(text: string): string | null {
  const [, digits] = /^0*(\d+)(?:\.0+)?$/.exec(text) ?? []
  return digits ?? null
}

/** Digits, dates and amounts: no heading holds one alone. */
export function isDatum(text: string): boolean {
  return /^[+-]?[\d.,:/%-]+$/.test(foldText(text))
}
