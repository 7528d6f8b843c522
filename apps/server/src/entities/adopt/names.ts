// Tags, attribute names and labels for the names of tables and columns, whatever their alphabet
// (docs/rules/contract.md#definitions).
import { isCarried } from '@jiaowu/api/entity/values'
import { isObjectName } from '@jiaowu/api/fields/derive'
import { pinyin } from 'pinyin-pro'

const chinese = /\p{Script=Han}/u
const longest = 63

/** The words of a name in ASCII: `OrderDetails` → order, details; `学生 表` → xue, sheng, biao. */
export function splitWords(name: string): string[] {
  const latin = chinese.test(name)
    ? pinyin(name, { toneType: 'none', type: 'array', nonZh: 'consecutive', v: true }).join(' ')
    : name
  return latin
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** Words that are routes, wire keys or part of every JavaScript object. */
const reservedTags = new Set(
  'config data page tag table design check draft adopt constructor prototype'.split(' '),
)
const reservedNames = new Set(['version', 'prototype'])

/** A free tag for a table. `isTaken` is asked without regard to case. */
export function tagFor(schema: string, table: string, isTaken: (tag: string) => boolean): string {
  const base = buildTag(table)
  const full = buildTag(`${schema} ${table}`)
  const isFree = (tag: string) => !reservedTags.has(tag.toLowerCase()) && !isTaken(tag)
  if (isFree(base)) return base
  if (isFree(full)) return full
  for (let n = 2; ; n += 1)
    if (isFree(`${base.slice(0, 58)}_${n}`)) return `${base.slice(0, 58)}_${n}`
}

function buildTag(name: string): string {
  const plain = /^[A-Za-z][A-Za-z0-9_]*$/.test(name) && !/[a-z][A-Z]/.test(name)
  const tag = (plain ? name : splitWords(name).join('_')).toUpperCase()
  const usable = /^[A-Z]/.test(tag) ? tag : `T_${tag}`
  return (usable.length < 2 ? `T_${usable}` : usable).slice(0, longest)
}

/**
 * A free attribute name for a column. Names of row metadata get a suffix, except `id` for the one
 * column that is the key.
 */
export function attrNameFor(
  column: string,
  isOnlyKey: boolean,
  taken: ReadonlySet<string>,
): string {
  const [first = '', ...more] = splitWords(column)
  const camel = first + more.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const usable = (/^[a-z]/.test(camel) ? camel : `f${camel}`).slice(0, longest - 8)
  const isReserved =
    reservedNames.has(usable) ||
    isObjectName(usable) ||
    (isCarried(usable) && !(usable === 'id' && isOnlyKey))
  const base = isReserved ? `${usable}Value` : usable
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? base : `${base}${n}`
    if (!taken.has(name.toLowerCase())) return name
  }
}

/** Abbreviations that are written in capitals. */
const capitals = new Set(
  'id url uri ip isbn sku vat ssn iban uuid ean gps dob html json xml'.split(' '),
)

/** A name as people read it: `first_name` → First name; Chinese names stay. */
export function readable(name: string): string {
  if (chinese.test(name)) return name.trim()
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(readableWord)
  const text = words.join(' ')
  return text === '' ? name : text.charAt(0).toUpperCase() + text.slice(1)
}

/** `no` is short for number. */
function readableWord(word: string): string {
  const small = word.toLowerCase()
  return capitals.has(small) ? word.toUpperCase() : small === 'no' ? 'No.' : small
}

/** Columns that say who wrote a row and when. */
export function isStampName(name: string): boolean {
  return /(^|_)(create|created|creator|update|updated|updater|modified|last)(_|$|d)/i.test(name)
}

/** The label of a relation: without the word for the key behind it. */
export function relationLabel(label: string): string {
  const short = label.replace(/(?:\s+(?:ID|no\.?|code|key|编号|主键)|编号|ID)$/i, '').trim()
  return short === '' ? label : short
}
