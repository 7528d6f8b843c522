// Texts: width, invisible characters, and the forms of phone and ID numbers, addresses and codes.
import { findKind } from '@jiaowu/api/fields/kinds'
import { plainBlanks } from '@jiaowu/api/fields/date-words'
import type { TypedField } from '../ruled-field.ts'
import { tidyNumber } from './numbers.ts'

/** Characters without width, except the joiner between parts of an emoji. */
const invisible =
  /[\u200b\u200c\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u00ad]|(?<!\p{M}|\p{Extended_Pictographic}|\p{Emoji_Modifier})\u200d/gu
const oddBlanks = /[\u00a0\u2000-\u200a\u202f\u205f]/g
/** Letters, digits and signs of ASCII in either width, on one line. */
const code = /^[\x20-\x7e\uff01-\uff5e\u3000]+$/
const wideLetters = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g

const wrapped = /[ \t]*[\n\v\f\r\u0085\u2028\u2029]+[ \t]*/g

/** A cell that was wrapped by hand: in a field of one line its breaks are blanks. */
export function unwrapLines(field: TypedField, input: string): string {
  return findKind(field.uiType).singleLine ? input.trim().replace(wrapped, ' ') : input
}

/** Without what spreadsheets put around a text that looks like a number: `="0123"` and `'0123`. */
export function dropsMark(input: string): string {
  const text = input.trim()
  const quoted = /^=\s*"((?:[^"]|"")*)"$/.exec(text)
  if (quoted !== null) return (quoted[1] ?? '').replaceAll('""', '"')
  return /^['‘’＇]\s*[\d０-９][\w０-９Ａ-Ｚａ-ｚ.-]*$/.test(text) ? text.slice(1) : input
}

export function tidyText(field: TypedField, input: string): string {
  const { singleLine } = findKind(field.uiType)
  const text = dropsMark(unwrapLines(field, input)).replace(invisible, '').replace(oddBlanks, ' ')
  if (!singleLine) return text.trim()
  const formed = byForm(field, text)
  if (formed !== null) return formed
  const line = text.replaceAll('\u3000', ' ').trim()
  return code.test(line) ? line.replace(/[\uff01-\uff5e]/g, half) : line.replace(wideLetters, half)
}

function half(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) - 0xfee0)
}

const forms = {
  mobile: tidyMobile,
  Idcard: tidyId,
  bank: tidyId,
  Email: tidyEmail,
  Http: plainBlanks,
  Number: numberText,
  Digits: numberText,
  PositiveNumber: numberText,
  name: tidyName,
} as const satisfies Record<string, (text: string) => string>
const formOfPii: Partial<Record<string, keyof typeof forms>> = {
  idCard: 'Idcard',
  mobile: 'mobile',
  email: 'Email',
  bank: 'bank',
  name: 'name',
}

/** The text in the form of the field's rule or kind of personal data; null without one. */
function byForm({ valids, pii }: TypedField, text: string): string | null {
  const named = [
    ...(valids.type ?? '').split(',').map((name) => name.trim()),
    formOfPii[pii ?? ''] ?? '',
  ]
  const found = named.find((name): name is keyof typeof forms => Object.hasOwn(forms, name))
  return found === undefined ? null : forms[found](text)
}

/** Digits alone, without the code of the country; anything else keeps its signs. */
function tidyMobile(text: string): string {
  const plain = plainBlanks(text).replace(/\.0+$/, '')
  const digits = plain.replace(/[\s\-—–−.()（）]/g, '')
  const national = digits.replace(/^(?:\+?86|0086)(?=1\d{10}$)/, '')
  return /^\d+$/.test(national) ? national : plain
}

function tidyId(text: string): string {
  const plain = plainBlanks(text)
  const joined = plain.replace(/[\s\-—–−]/g, '').toUpperCase()
  return /^\d+[\dX]$/.test(joined) ? joined : plain
}

function tidyEmail(text: string): string {
  return plainBlanks(text)
    .replace(/^mailto:/i, '')
    .replace(/\s*@\s*/, '@')
    .replaceAll('。', '.')
}

function numberText(text: string): string {
  const plain = plainBlanks(text)
  return tidyNumber(plain) ?? plain
}

/** Names of two characters are often spread to the width of three by a wide blank. */
function tidyName(text: string): string {
  const name = text.replaceAll('\u3000', ' ').replace(/\s+/g, ' ').trim()
  return /^[\p{Script=Han}· ]+$/u.test(name)
    ? name.replaceAll(' ', '')
    : name.replace(wideLetters, half)
}
