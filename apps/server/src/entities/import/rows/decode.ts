// Decodes a cell of a sheet as a value of its field. Choices are returned as words to look up.
import { isMoney } from '@jiaowu/api/fields/money'
import type { Message } from '@jiaowu/api/texts/index'
import { readTyped } from '@jiaowu/validation'
import type { LoadedField } from '../../../model/definition/loaded.ts'
import { unguardText } from '../../sheets/formula.ts'
import {
  cellIsBlank,
  cellText,
  type DateCell,
  isDateCell,
  isOddCell,
  isWireCell,
  type OddCell,
  type RawCell,
  readLimits,
} from '../../sheets/read/model.ts'
import { dateCellOf } from '../../sheets/read/serial-date.ts'

/** A chosen item, by id (ndjson) or by name. */
export interface Ref {
  readonly id?: string
  readonly word: string
}
export type Decoded =
  | { readonly kind: 'blank' }
  | { readonly kind: 'clear' }
  /** Not yet checked against the field's rules. `typed`: the cell, where reading changed it. */
  | { readonly kind: 'value'; readonly value: unknown; readonly typed?: string }
  | { readonly kind: 'refs'; readonly refs: readonly Ref[] }
  | {
      readonly kind: 'fault'
      readonly rule: string
      readonly message: Message
      readonly choices?: readonly string[]
    }

const blank: Decoded = { kind: 'blank' }
const value = (of: unknown): Decoded => ({ kind: 'value', value: of })
const decodedFault = (rule: string, message: Message): Decoded => ({ kind: 'fault', rule, message })
/** Says what the column takes. */
const misfit = ({ storage }: LoadedField): Decoded =>
  decodedFault('value', { key: storage.sheet.hint })

/** Largest integer that a double holds exactly (docs/rules/requests.md#r15). */
const maxCertain = 1e15
const asText = (n: number): string => String(Number(n.toPrecision(15)))
const separators = /[,，、;；\n]/

/** The value of a cell for a field. `from1904`: the workbook counts days from 1904. */
export function decodeCell(field: LoadedField, cell: RawCell, from1904: boolean): Decoded {
  if (isWireCell(cell)) return fromWire(field, cell.wire)
  if (cellIsBlank(cell) || cell === null) return blank
  if (isOddCell(cell)) return oddFault(cell)
  switch (field.kind.family) {
    case 'text':
      return textValue(field, cell)
    case 'number':
      return numberValue(field, cell)
    case 'flag':
      return flagValue(field, cell)
    case 'temporal':
      return temporalValue(field, cell, from1904)
    case 'choice':
      return {
        kind: 'refs',
        refs: parseRefs(
          field,
          readTyped(
            field.definition,
            unguardText(typeof cell === 'number' ? asText(cell) : cellText(cell)),
          ).text,
        ),
      }
    default:
      return misfit(field)
  }
}

function fromWire(field: LoadedField, raw: unknown): Decoded {
  if (raw === null || raw === '') return { kind: 'clear' }
  if (field.kind.family !== 'choice') return value(raw)
  const refs = wireRefs(raw)
  return refs === null
    ? misfit(field)
    : refs.length === 0
      ? { kind: 'clear' }
      : { kind: 'refs', refs }
}

function wireRefs(raw: unknown): Ref[] | null {
  const list = Array.isArray(raw) ? (raw as unknown[]) : [raw]
  const refs = list.map((each): Ref | null => {
    if (typeof each === 'string' || typeof each === 'number') return { word: String(each) }
    if (typeof each !== 'object' || each === null || !('id' in each)) return null
    const word = 'name' in each && typeof each.name === 'string' ? each.name : ''
    return typeof each.id === 'string' || typeof each.id === 'number'
      ? { id: String(each.id), word }
      : null
  })
  return refs.every((each) => each !== null) ? refs : null
}

function oddFault({ odd }: OddCell): Decoded {
  if (odd === 'formula') return decodedFault('formula', { key: 'transfer.rule.formula' })
  if (odd === 'error') return decodedFault('errorCell', { key: 'transfer.rule.errorCell' })
  return decodedFault('tooLong', { key: 'transfer.rule.tooLong', params: { n: readLimits.cell } })
}

function textValue(field: LoadedField, cell: string | number | boolean | DateCell): Decoded {
  if (typeof cell === 'string') return typedValue(field, cell)
  // A date is written as its day.
  if (isDateCell(cell) || typeof cell === 'boolean') return value(cellText(cell))
  return Math.abs(cell) >= maxCertain
    ? decodedFault('precision', { key: 'transfer.rule.precision' })
    : value(asText(cell))
}

/** The text of a cell as the value of its field, or why it is none. */
function typedValue(field: LoadedField, cell: string): Decoded {
  const text = unguardText(cell)
  const typed = readTyped(field.definition, text)
  if (typed.fault !== null) return { kind: 'fault', ...typed.fault, choices: typed.choices }
  if (typed.value === undefined) return misfit(field)
  if (typed.value === null) return blank
  return typed.tidied ? { kind: 'value', value: typed.value, typed: cell } : value(typed.value)
}

function numberValue(field: LoadedField, cell: string | number | boolean | DateCell): Decoded {
  if (typeof cell === 'number')
    return isMoney(field.definition)
      ? amountValue(field, cell)
      : Number.isInteger(cell) && Math.abs(cell) >= maxCertain
        ? decodedFault('precision', { key: 'transfer.rule.precision' })
        : value(Number(cell.toPrecision(15)))
  return typeof cell === 'string'
    ? typedValue(field, cell)
    : decodedFault('value', { key: 'rule.number' })
}

/** A number of yuan, without what binary fractions add to it. */
function amountValue({ definition }: LoadedField, cell: number): Decoded {
  const { value: fen, fault: broken } = readTyped(definition, asText(cell))
  return broken === null ? value(fen) : { kind: 'fault', ...broken }
}

function flagValue(field: LoadedField, cell: string | number | boolean | DateCell): Decoded {
  if (typeof cell === 'boolean') return value(cell ? '1' : '0')
  return isDateCell(cell) ? misfit(field) : typedValue(field, String(cell))
}

function temporalValue(
  field: LoadedField,
  cell: string | number | boolean | DateCell,
  from1904: boolean,
): Decoded {
  const { temporal } = field.kind
  if (typeof cell === 'boolean') return misfit(field)
  if (isDateCell(cell)) return fromMoment(field, cell)
  if (typeof cell === 'string') return typedValue(field, cell)
  const digits = String(cell)
  const isDay = /^\d{8}$/.test(digits) && temporal?.hasDay === true
  if (!isDay && temporal?.unit !== 'year') {
    // A date cell without its number format holds only its serial number.
    const moment = dateCellOf(cell, from1904)
    return moment === null ? misfit(field) : fromMoment(field, moment)
  }
  const read = field.kind.fromText(digits)
  return read === undefined ? misfit(field) : value(read)
}

function fromMoment(field: LoadedField, { day, clock }: DateCell): Decoded {
  const read = field.kind.temporal?.fromMoment(`${day ?? ''} ${clock}`)
  return read === undefined ? misfit(field) : value(read)
}

function parseRefs(field: LoadedField, text: string): Ref[] {
  const words = field.kind.multiple ? text.split(separators) : [text]
  return words
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .map((word) => ({ word }))
}
