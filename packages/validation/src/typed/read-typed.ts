// Text as people type it, paste it or leave it in a cell, brought to the form that its field stores.
// Imports, forms, grids and the terminal all read text here.
import { isMoney, yuanText } from '@jiaowu/api/fields/money'
import { findKind } from '@jiaowu/api/fields/kinds'
import { parseDecimal } from '@jiaowu/api/fields/families'
import { plainBlanks } from '@jiaowu/api/fields/date-words'
import { possibleDays } from '@jiaowu/api/fields/dates'
import type { TextKey } from '@jiaowu/api/texts/index'
import type { WireValue } from '@jiaowu/api/entity/values'
import type { FieldFault, TypedField } from '../ruled-field.ts'
import { readAmount } from './amounts.ts'
import { hasLostDigits, tidyNumber } from './numbers.ts'
import { dropsMark, tidyText } from './texts.ts'

export interface Typed {
  /** Undefined for text that is no value of the field, and for choices, which callers look up. */
  readonly value: WireValue | undefined
  /** The text to show: the value's own form, or the input without what only disturbs. */
  readonly text: string
  /** Whether more than blanks around the input was changed. */
  readonly tidied: boolean
  /** Set where `value` is undefined and the reason is known. */
  readonly fault: FieldFault | null
  /** Values that the input may stand for. */
  readonly choices: readonly string[]
}

/** Marks of an empty cell in columns of numbers and dates. */
const blankMark = /^(?:[-—–−/\\]+|无|n\/?a|null|nan)$/i

export function readTyped(field: TypedField, input: string): Typed {
  const kind = findKind(field.uiType)
  if (kind.verbatim) return asIs(input)
  switch (kind.family) {
    case 'text':
      return typedText(field, input)
    case 'number':
      return isMoney(field) ? typedAmount(input) : typedNumber(input)
    case 'flag':
    case 'temporal':
      return typedMoment(field, input)
    case 'choice':
      return { ...asIs(plainBlanks(dropsMark(input))), value: undefined, tidied: false }
    default:
      return asIs(input)
  }
}

/**
 * Builds the value that a client sends for a typed text: its value, or the text, which the server
 * refuses at its field. Text of an amount that would pass as fen gets its unit.
 */
export function sentValue(field: TypedField, input: string): WireValue {
  const { value } = readTyped(field, input)
  if (value !== undefined) return value
  return isMoney(field) && Number.isInteger(Number(parseDecimal(input.trim())))
    ? `${input.trim()}元`
    : input
}

function asIs(text: string): Typed {
  return { value: text, text, tidied: false, fault: null, choices: [] }
}

function buildTypedFault(rule: string, key: TextKey): FieldFault {
  return { rule, message: { key } }
}

function typedText(field: TypedField, input: string): Typed {
  const text = tidyText(field, input)
  const lost = findKind(field.uiType).singleLine && hasLostDigits(text)
  return {
    value: lost ? undefined : text,
    text,
    tidied: text !== input.trim(),
    fault: lost ? buildTypedFault('precision', 'rule.lostDigits') : null,
    choices: [],
  }
}

function typedNumber(input: string): Typed {
  const plain = plainBlanks(dropsMark(input))
  if (plain === '' || blankMark.test(plain))
    return { value: null, text: '', tidied: plain !== '', fault: null, choices: [] }
  const text = tidyNumber(plain)
  const value = text === undefined ? undefined : findKind('inputNumber').fromText(text)
  return {
    value,
    text: text ?? plain,
    tidied: text !== undefined && text !== input.trim(),
    fault:
      value !== undefined
        ? null
        : hasLostDigits(plain)
          ? buildTypedFault('precision', 'rule.lostDigits')
          : buildTypedFault('value', 'rule.number'),
    choices: [],
  }
}

/** Yuan as typed: the value is in fen. */
function typedAmount(input: string): Typed {
  const typed = typedNumber(input)
  if (typed.value === null) return typed
  const { fen, rule, key } = readAmount(input)
  if (fen === null) return { ...typed, value: undefined, fault: buildTypedFault(rule, key) }
  const isUsual = /^[+-]?\d+(?:\.\d{1,2})?$/.test(input.trim())
  return { ...typed, value: fen, text: yuanText(fen), tidied: !isUsual, fault: null }
}

/** Dates, times and yes or no. */
function typedMoment(field: TypedField, input: string): Typed {
  const { family, fromText, temporal } = findKind(field.uiType)
  const plain = plainBlanks(dropsMark(input))
  const read = fromText(plain)
  if (read === undefined && family === 'temporal' && blankMark.test(plain))
    return { value: null, text: '', tidied: true, fault: null, choices: [] }
  const choices = read === undefined && temporal?.hasDay === true ? possibleDays(plain) : []
  return {
    value: read,
    text: read === undefined || family === 'flag' ? plain : String(read ?? ''),
    tidied:
      read !== undefined && read !== null && isUnusual(family, input.trim(), plain, String(read)),
    fault:
      read !== undefined
        ? null
        : choices.length > 1
          ? buildTypedFault('value', 'rule.dateOrder')
          : buildTypedFault('value', family === 'flag' ? 'rule.flag' : 'rule.date'),
    choices,
  }
}

const usualFlag = /^(?:0|1|是|否|yes|no|true|false)$/i

function isUnusual(family: string, input: string, plain: string, read: string): boolean {
  return family === 'flag' ? !usualFlag.test(input) || input !== plain : input !== read
}
