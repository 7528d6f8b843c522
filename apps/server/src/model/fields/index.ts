import type { DictItem, WireValue } from '@jiaowu/api/entity/values'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { parseDecimal, plainDecimal } from '@jiaowu/api/fields/families'
import type { UiType } from '@jiaowu/api/entity/enums'
import { parseJson } from '@jiaowu/api/exact-json'
import type { SheetCellType } from './sheet-cell.ts'
import { type Column, familyOf } from './column.ts'

/** How a field kind is stored in the database and in a sheet (docs/rules/design.md#field-kinds). */
export interface ServerField {
  /** Converts a canonical wire value to the value to bind; null when empty. */
  readonly store: (value: WireValue, column: Column) => unknown
  /** Converts the driver's value to a wire value. Choices have empty names, see read/labels.ts. */
  readonly load: (stored: unknown, column: Column) => WireValue
  readonly sheet: SheetCell
}

type CellContent =
  | 'text'
  | 'number'
  | 'choice'
  | 'choices'
  | 'switch'
  | 'date'
  | 'datetime'
  | 'year'
  | 'time'
type CellHint = `entity.sheet.${CellContent}`

/**
 * How it is written in a sheet: `text` cells are typed as text to keep 18-digit numbers and leading
 * zeros, dates as dates to be filtered and computed with.
 */
export interface SheetCell {
  readonly type: SheetCellType
  /** Characters. */
  readonly width: number
  /** The text for the cell's content in the instructions of a template. */
  readonly hint: CellHint
}

const items = (value: WireValue): readonly DictItem[] => (Array.isArray(value) ? value : [])
const toUnlabelledItem = (id: unknown): DictItem => ({ id: String(id), name: '' })
const sheet = (
  width: number,
  hint: CellHint = 'entity.sheet.text',
  type: SheetCell['type'] = 'text',
): SheetCell => ({ type, width, hint })

const text: ServerField = {
  store: (value) => (isEmpty(value) ? null : value),
  // A text field may be on a json column: indent the document for reading.
  load: (stored, column) =>
    stored === null || stored === undefined
      ? null
      : typeof stored !== 'object'
        ? familyOf(column) === 'json'
          ? documentText(String(stored))
          : String(stored)
        : Object.keys(stored).length === 0
          ? null
          : JSON.stringify(stored, null, 2),
  sheet: sheet(20),
}

/** A json document, indented by two where the database indents by four; null for an empty one. */
function documentText(text: string): string | null {
  if (/^\s*(\{\s*\}|\[\s*\]|null)\s*$/.test(text)) return null
  return text.replace(/^ +/gm, (indent) => ' '.repeat(indent.length / 2))
}

const number: ServerField = {
  store: (value) =>
    isEmpty(value) ? null : plainDecimal(typeof value === 'number' ? value : String(value)),
  load: (stored) =>
    stored === null || stored === undefined
      ? null
      : (parseDecimal(String(stored)) ?? Number(stored)),
  sheet: sheet(14, 'entity.sheet.number', 'number'),
}
const singleChoice: ServerField = {
  store: (value, column) => {
    const id = items(value)[0]?.id
    if (id === undefined) return null
    return familyOf(column) === 'boolean' ? id === '1' || id === 'true' : id
  },
  load: (stored) =>
    stored === null || stored === undefined || stored === ''
      ? []
      : [toUnlabelledItem(stored === true ? '1' : stored === false ? '0' : stored)],
  sheet: sheet(18, 'entity.sheet.choice'),
}
/**
 * A parent of `'0'` means no parent: it is the root of every tree (docs/spec/1-entity-console.md
 * §3).
 */
const treeNode: ServerField = {
  ...singleChoice,
  load: (stored, column) => (String(stored) === '0' ? [] : singleChoice.load(stored, column)),
}
/**
 * Several choices, stored in an array column, as a json list of ids or as comma-joined ids in a
 * text column.
 */
const multiChoice: ServerField = {
  store: (value, column) => {
    const ids = items(value).map(({ id }) => id)
    if (ids.length === 0) return null
    const family = familyOf(column)
    return family === 'texts' || family === 'integers'
      ? ids
      : family === 'json'
        ? JSON.stringify(ids)
        : ids.join(',')
  },
  load: (stored) =>
    toList(stored)
      .filter((id) => id !== null && id !== '')
      .map((id) =>
        typeof id === 'object' && id !== null && 'id' in id
          ? toUnlabelledItem(id.id)
          : toUnlabelledItem(id),
      ),
  sheet: sheet(24, 'entity.sheet.choices'),
}

/** Whether a field keeps the ids of several choices in one text, separated by commas. */
export function joinsIds(storage: ServerField, column: Column): boolean {
  const family = familyOf(column)
  return storage === multiChoice && family !== 'texts' && family !== 'integers' && family !== 'json'
}
const flag: ServerField = {
  store: (value, column) =>
    isEmpty(value) ? null : familyOf(column) === 'boolean' ? value === '1' : value,
  load: (stored) =>
    stored === null || stored === undefined || stored === ''
      ? null
      : stored === true || String(stored) === '1'
        ? '1'
        : '0',
  sheet: sheet(8, 'entity.sheet.switch'),
}
/** A year in a date or timestamp column is stored as its first day. */
const year: ServerField = {
  ...temporal(4, 8, 'entity.sheet.year'),
  store: (value, column) =>
    isEmpty(value)
      ? null
      : ['date', 'timestamp', 'instant'].includes(familyOf(column) ?? '')
        ? `${String(value)}-01-01`
        : value,
}
/** Pictures are stored with their names; the files are attachments of the row. */
const images: ServerField = {
  store: (value, column) => {
    const pictures = items(value).map(({ id, name }) => ({ id, name }))
    if (pictures.length === 0) return null
    const family = familyOf(column)
    return family === 'texts' || family === 'integers'
      ? pictures.map(({ id }) => id)
      : family === 'text' && column.length !== null
        ? pictures.map(({ id }) => id).join(',')
        : JSON.stringify(pictures)
  },
  load: (stored) => {
    return toList(typeof stored === 'string' ? pictureText(stored) : stored).map((each) =>
      typeof each === 'object' && each !== null
        ? { id: String('id' in each ? each.id : ''), name: String('name' in each ? each.name : '') }
        : toUnlabelledItem(each),
    )
  },
  sheet: sheet(24),
}
const html: ServerField = { ...text, sheet: sheet(40) }
/** A secret is never read. Passwords of accounts are stored as hashes: definition/account-password.ts. */
const secret: ServerField = { store: text.store, load: () => null, sheet: sheet(10) }
const layout: ServerField = { store: () => null, load: () => null, sheet: sheet(0) }

/** The storage of every uiType. */
export const serverFields = {
  input: text,
  textarea: { ...text, sheet: sheet(40) },
  password: secret,
  inputNumber: number,
  rate: number,
  select: singleChoice,
  radio: singleChoice,
  selectTree: treeNode,
  multiSelect: multiChoice,
  checkbox: multiChoice,
  multiSelectTree: multiChoice,
  switch: flag,
  date: temporal(10, 12, 'entity.sheet.date', 'date'),
  datetime: temporal(19, 20, 'entity.sheet.datetime', 'datetime'),
  year,
  time: temporal(8, 10, 'entity.sheet.time', 'time'),
  group: layout,
  separate: layout,
  uploadImg: images,
  richTextEditor: html,
} as const satisfies Record<UiType, ServerField>

/**
 * The wire form is the first `characters` of the database's text form: `2026-01-05 08:00:00.123` →
 * 19.
 */
function temporal(
  characters: number,
  width: number,
  hint: CellHint,
  type: SheetCellType = 'text',
): ServerField {
  return {
    store: (value) => (isEmpty(value) ? null : value),
    load: (stored) =>
      stored === null || stored === undefined
        ? null
        : String(stored).replace('T', ' ').slice(0, characters),
    sheet: sheet(width, hint, type),
  }
}

export const findServerField = (uiType: UiType): ServerField => serverFields[uiType]

function toList(stored: unknown): unknown[] {
  return Array.isArray(stored)
    ? stored
    : typeof stored === 'string' && stored !== ''
      ? stored.split(',')
      : []
}

function pictureText(text: string): unknown {
  if (!text.startsWith('[')) return text
  try {
    return parseJson(text)
  } catch {
    return null // not written by this product: no pictures
  }
}
