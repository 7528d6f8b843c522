// Facts about the cells of a column, read by the decoder of imports: the kinds that all of them have, the
// longest, and the different ones.
import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import type { UiType } from '@jiaowu/api/entity/enums'
import { findKind } from '@jiaowu/api/fields/kinds'
import * as v from 'valibot'
import type { LoadedField } from '../../../model/definition/loaded.ts'
import { findServerField } from '../../../model/fields/index.ts'
import { cellIsBlank, cellText, isDateCell, type RawCell } from '../../sheets/read/model.ts'
import { decodeCell } from '../../import/rows/decode.ts'

/** Kinds that cells are tried for; a text is always possible. */
export const triedKinds = ['number', 'date', 'datetime', 'flag'] as const
type TriedKind = (typeof triedKinds)[number]

/** Cells that are not of a kind, and the first of them. */
interface Misfits {
  count: number
  readonly first: string[]
}

export interface ColumnFacts {
  filled: number
  /** How often each value stands in the column, up to a number of values. */
  readonly values: Map<string, number>
  /** There are more different values than are kept. */
  isMany: boolean
  /** All values, while none of them has come twice. */
  once: Set<string> | null
  longest: number
  hasLines: boolean
  /** Decimal places, and digits before them. */
  scale: number
  digits: number
  /** A number with a zero before it is a code. */
  hasLeadingZero: boolean
  /** A date is written as one: with marks between its parts, or in a cell of dates. */
  hasDateForm: boolean
  hasClock: boolean
  readonly misfits: Readonly<Record<TriedKind, Misfits>>
}

/** Different values that are kept of a column. */
const mostValues = 2_000
/** After so many cells of another kind a column is not tried for the kind any more. */
const mostMisfits = 50
const misfitsShown = 3

export function createFacts(): ColumnFacts {
  const none = (): Misfits => ({ count: 0, first: [] })
  return {
    filled: 0,
    values: new Map(),
    isMany: false,
    once: new Set(),
    longest: 0,
    hasLines: false,
    scale: 0,
    digits: 0,
    hasLeadingZero: false,
    hasDateForm: false,
    hasClock: false,
    misfits: { number: none(), date: none(), datetime: none(), flag: none() },
  }
}

function buildField(uiType: UiType): LoadedField {
  return {
    definition: v.parse(fieldDefinitionSchema, { id: '1', attrName: 'cell', uiLabel: '', uiType }),
    kind: findKind(uiType),
    storage: findServerField(uiType),
    column: null,
    pii: null,
    sealer: null,
    reads: [],
  }
}

const fields: Readonly<Record<TriedKind, LoadedField>> = {
  number: buildField('inputNumber'),
  date: buildField('date'),
  datetime: buildField('datetime'),
  flag: buildField('switch'),
}

export function addCell(facts: ColumnFacts, cell: RawCell, from1904: boolean): void {
  if (cellIsBlank(cell)) return
  const text = cellText(cell).trim()
  facts.filled += 1
  facts.longest = Math.max(facts.longest, [...text].length)
  facts.hasLines ||= /\n/.test(text)
  facts.hasLeadingZero ||= /^0\d/.test(text)
  if (facts.values.has(text) || facts.values.size < mostValues)
    facts.values.set(text, (facts.values.get(text) ?? 0) + 1)
  else facts.isMany = true
  if (facts.once?.has(text) === true) facts.once = null
  else facts.once?.add(text)
  noteMoment(facts, cell, text)
  for (const kind of triedKinds) {
    const misfit = facts.misfits[kind]
    if (misfit.count >= mostMisfits || isOfKind(facts, kind, cell, from1904)) continue
    misfit.count += 1
    if (misfit.first.length < misfitsShown && !misfit.first.includes(text)) misfit.first.push(text)
  }
}

function noteMoment(facts: ColumnFacts, cell: RawCell, text: string): void {
  if (isDateCell(cell)) {
    facts.hasDateForm ||= cell.day !== null
    facts.hasClock ||= cell.clock !== '00:00:00'
  } else if (typeof cell === 'string') {
    facts.hasDateForm ||= /\d\s*[-/.年月]\s*\d/.test(text)
    facts.hasClock ||= /\d[:：]\d/.test(text)
  }
}

function isOfKind(facts: ColumnFacts, kind: TriedKind, cell: RawCell, from1904: boolean): boolean {
  const isMoment = kind === 'date' || kind === 'datetime'
  // A number is the serial number of a day only where its cell says so.
  if (isMoment && typeof cell === 'number' && !/^(?:19|20)\d{6}$/.test(String(cell))) return false
  if (isMoment && isDateCell(cell) && cell.day === null) return false
  if (kind === 'date' && isDateCell(cell) && cell.clock !== '00:00:00') return false
  const decoded = decodeCell(fields[kind], cell, from1904)
  if (decoded.kind !== 'value') return false
  if (kind === 'number') noteNumber(facts, decoded.value)
  return true
}

function noteNumber(facts: ColumnFacts, value: unknown): void {
  const [, whole = '', part = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? []
  facts.digits = Math.max(facts.digits, whole.length)
  facts.scale = Math.max(facts.scale, part.length)
}
