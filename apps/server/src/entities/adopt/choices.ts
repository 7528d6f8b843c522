// Choices that a column's type, check constraint or comment lists.
import { cutText } from '@jiaowu/api/cut-text'
import { readable } from './names.ts'

export interface Choice {
  readonly id: string
  readonly name: string
}

const literal = String.raw`'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?)`

/**
 * The values of `check (x in (…))`, in the forms that PostgreSQL prints it; null for any other
 * condition.
 */
export function choicesOfCheck(definition: string, column: string): readonly Choice[] | null {
  const plain = plainCheck(definition)
  const name = String.raw`(?:"${escapePattern(column.replaceAll('"', '""'))}"|${escapePattern(column)}|VALUE)`
  const ref = String.raw`\(*${name}\)*(?:::[a-z_ ]+(?:\(\d+\))?)?\)*(?:::[a-z_ ]+)?`
  const list = new RegExp(
    String.raw`^CHECK \(+${ref} = ANY \(+(?:ARRAY)?(\[.*\]|'\{.*\}')\)*(?:::[a-z_ ]+(?:\(\d+\))?\[\])?\)+$`,
    's',
  ).exec(plain)
  if (list?.[1] !== undefined) return nameChoices(valuesIn(list[1]))
  const one = String.raw`\(*${ref} = \(*(?:${literal})(?:::[a-z_ ]+(?:\(\d+\))?)*\)*`
  if (!new RegExp(String.raw`^CHECK \(+${one}(?: OR ${one})+\)+$`, 's').test(plain)) return null
  return nameChoices(valuesIn(plain.slice(plain.indexOf('='))))
}

/** Without an alternative for an empty column, and without a function that folds the case. */
function plainCheck(definition: string): string {
  const text = definition
    .trim()
    .replace(/\(*(?:"[^"]+"|\w+)\)*(?:::\w+)? IS NULL\)* OR /i, '')
    .replace(/ OR \(*(?:"[^"]+"|\w+)\)*(?:::\w+)? IS NULL\)*\)$/i, ')')
  const folded = /\b(upper|lower)\(/i.exec(text)?.[1]?.toLowerCase()
  if (folded === undefined) return text
  const isFolded = valuesIn(text.slice(text.indexOf('='))).every(
    (value) => value === (folded === 'upper' ? value.toUpperCase() : value.toLowerCase()),
  )
  return isFolded ? text.replace(/\b(?:upper|lower)\(/gi, '(') : text
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function valuesIn(text: string): string[] {
  const array = /^'\{(.*)\}'$/s.exec(text)?.[1]
  if (array !== undefined) return array.split(',').map((part) => part.replace(/^"|"$/g, ''))
  return [...text.matchAll(new RegExp(literal, 'g'))].map(
    ([, quoted, number]) => quoted?.replaceAll("''", "'") ?? number ?? '',
  )
}

function nameChoices(values: readonly string[]): readonly Choice[] | null {
  const unique = [...new Set(values)].filter((value) => value !== '')
  return unique.length >= 2 && unique.length <= 60
    ? unique.map((id) => ({ id, name: readChoiceName(id) }))
    : null
}

/** A value that is a word reads as one; codes such as `PG-13` stay. */
export function readChoiceName(value: string): string {
  return /^[a-z][a-z0-9]*(?:[_ -][a-z0-9]+)*$/.test(value) && value.length > 2
    ? readable(value)
    : value
}

/** `0正常 1停用`, `0=正常，1=停用`, `0：男 1：女 2：未知`, `M-male, F-female`. */
const pair =
  /(?<![\p{L}\p{N}.])([A-Za-z](?=\s*(?:[=:：、.-]|\p{Script=Han}))|-?\d{1,4})\s*(?:[=:：、.．]|——?|-+>?|\s)?\s*(?=\p{L})([\p{L}][^,，;；、|/\n\r（）()[\]【】\d]{0,20}?)(?=\s*(?:[,，;；、|/\n\r）)\]】]|\s(?:[A-Za-z]{1,2}|-?\d{1,4})\s*[=:：、.-]?\s*\p{L}|(?<=\p{Script=Han})-?\d{1,4}\s*[=:：、.-]?\s*\p{L}|$))/gu

/** One choice of a list whose parts are set apart: `3 = Preferred supplier`. */
const item = /^\s*([A-Za-z]{1,3}|-?\d{1,4})\s*(?:[=:：]|->|—)\s*(\p{L}[^=:：]{0,60}?)\s*[.。]?\s*$/u
/** The beginning of a choice, whatever its name looks like. */
const marker = /(?<![\p{L}\p{N}.])([A-Za-z]|-?\d{1,4})\s*[=:：]/gu

export interface CommentParts {
  /** The comment without the list; empty where it explains and names nothing. */
  readonly label: string
  readonly choices: readonly Choice[] | null
  /** An explanation; empty where it is a name. */
  readonly help: string
}

/** The label, the explanation and the list of choices in a comment. */
export function readComment(comment: string): CommentParts {
  const text = comment.trim()
  const inner = /^(.*?)\s*(?:[(（[【{]|[:：,，]\s*(?=-?\d))\s*(.+?)\s*[)）\]】}]?\s*$/su.exec(text)
  const list = choicesIn(inner?.[2] ?? '', text)
  if (inner?.[1] !== undefined && inner[1].trim() !== '' && list !== null)
    return nameOrHelp(inner[1].trim(), list, text)
  const bare = /^([\p{Script=Han}A-Za-z]{2,12}?)\s*[:：,，]?\s*((?:-?\d).*)$/su.exec(text)
  const bareList = bare === null ? null : choicesIn(bare[2] ?? '', text)
  if (bare?.[1] !== undefined && bareList !== null)
    return { label: bare[1], choices: bareList, help: '' }
  return nameOrHelp(firstPhrase(text), choicesIn(text, text), text)
}

function nameOrHelp(label: string, choices: readonly Choice[] | null, text: string): CommentParts {
  return explains(text) || explains(label)
    ? { label: '', choices, help: text }
    : { label, choices, help: '' }
}

/** Text in Latin letters that is a sentence about the column, and no name of it. */
function explains(text: string): boolean {
  if (/\p{Script=Han}/u.test(text)) return false
  const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word))
  return (
    words.length > 3 ||
    (words.length > 1 && /[.!?]$/.test(text)) ||
    /^(?:an?|the|this|whether|if|primary key|foreign key)\s/i.test(text)
  )
}

/** The part of a text that may be a list: `Rating. 1 = Good, 2 = Bad` → `1 = Good, 2 = Bad`. */
function lastSentence(text: string): string {
  const at = text.search(marker)
  return at === -1 ? text : text.slice(at)
}

/** A list whose every part is a choice; null for any other text. */
function itemsIn(text: string): ReadonlyMap<string, string> | null {
  const parts = lastSentence(text).split(/[,，;；、|/\n\r]/)
  const found = new Map<string, string>()
  for (const part of parts) {
    if (part.trim() === '') continue
    const [, id, name] = item.exec(part) ?? []
    if (id === undefined || name === undefined || found.has(id)) return null
    found.set(id, name)
  }
  return found.size < 2 ? null : found
}

/** All choices of a list in a part of a comment, or none where the comment has more of them. */
function choicesIn(text: string, whole: string): readonly Choice[] | null {
  const found = itemsIn(text) ?? pairsIn(text)
  const ids = [...found.keys()]
  const isWhole = [...whole.matchAll(marker)].every(([, id = '']) => found.has(id))
  const kinds = new Set(ids.map((id) => /^-?\d+$/.test(id)))
  const names = new Set(found.values())
  return found.size >= 2 &&
    found.size <= 30 &&
    kinds.size === 1 &&
    names.size === found.size &&
    isWhole
    ? ids.map((id) => ({ id, name: found.get(id) ?? id }))
    : null
}

function pairsIn(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, id = '', name = ''] of text.matchAll(pair)) {
    const word = name.trim().replace(/^(?:表示|代表|为|是)(?=\p{L}{2})/u, '')
    if (word !== '' && !found.has(id)) found.set(id, word)
  }
  return found
}

/** A comment may explain at length: its first phrase is the label. */
function firstPhrase(text: string): string {
  const [line = ''] = text.split(/[\n\r。；;]/)
  const [phrase = ''] = line.split(/[（(，,：:]|\s--/u)
  const short = phrase.trim()
  return short === '' || short.length > 40 ? cutText(line.trim(), 40) : short
}
