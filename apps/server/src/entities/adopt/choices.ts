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

export interface CommentParts {
  /** The comment without the list. */
  readonly label: string
  readonly choices: readonly Choice[] | null
}

/** The label and the list of choices in a comment. */
export function readComment(comment: string): CommentParts {
  const text = comment.trim()
  const inner = /^(.*?)\s*(?:[(（[【{]|[:：,，]\s*(?=-?\d))\s*(.+?)\s*[)）\]】}]?\s*$/su.exec(text)
  const list = choicesIn(inner?.[2] ?? '') ?? null
  if (inner?.[1] !== undefined && inner[1].trim() !== '' && list !== null)
    return { label: inner[1].trim(), choices: list }
  const bare = /^([\p{Script=Han}A-Za-z]{2,12}?)\s*[:：,，]?\s*((?:-?\d).*)$/su.exec(text)
  const bareList = bare === null ? null : choicesIn(bare[2] ?? '')
  if (bare?.[1] !== undefined && bareList !== null) return { label: bare[1], choices: bareList }
  return { label: firstPhrase(text), choices: choicesIn(text) }
}

function choicesIn(text: string): readonly Choice[] | null {
  const found = new Map<string, string>()
  for (const [, id = '', name = ''] of text.matchAll(pair)) {
    const word = name.trim().replace(/^(?:表示|代表|为|是)(?=\p{L}{2})/u, '')
    if (word !== '' && !found.has(id)) found.set(id, word)
  }
  const kinds = new Set([...found.keys()].map((id) => /^-?\d+$/.test(id)))
  return found.size >= 2 && found.size <= 30 && kinds.size === 1
    ? [...found].map(([id, name]) => ({ id, name }))
    : null
}

/** A comment may explain at length: its first phrase is the label. */
function firstPhrase(text: string): string {
  const [line = ''] = text.split(/[\n\r。；;]/)
  const [phrase = ''] = line.split(/[（(，,：:]|\s--/u)
  const short = phrase.trim()
  return short === '' || short.length > 40 ? cutText(line.trim(), 40) : short
}
