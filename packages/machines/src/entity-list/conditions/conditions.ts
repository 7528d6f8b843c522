import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { joinedWhere, knownWhere } from '@jiaowu/api/entity/list/where-parts'
import { findKind } from '@jiaowu/api/fields/kinds'
import { toQueryOperator } from '@jiaowu/api/entity/enums'
import type { Sort } from '@jiaowu/api/entity/values'
import type { Where } from '@jiaowu/api/entity/list/list-query'

/**
 * How filters, sorts and saved views are read from what users type: in an address
 * (`?name=张&birth=2000..2001&sorts=no:desc`) and on the command line (`-f name=张 -f
 * birth=2000..2001 -s no:desc`).
 */
export interface Query {
  readonly queries: Readonly<Record<string, unknown>>
  readonly sorts: readonly Sort[]
  /** Conditions in groups; absent: none. */
  readonly where?: Where | undefined
}

/** A condition's text, taken apart; a null end of a range is open. */
export type Reading =
  | { readonly kind: 'one'; readonly word: string }
  | { readonly kind: 'list'; readonly words: readonly string[] }
  | { readonly kind: 'range'; readonly ends: readonly [string | null, string | null] }

/** `name=张` into the field's name and its text; null when there is no name. */
export function splitCondition(
  typed: string,
): { readonly name: string; readonly text: string } | null {
  const at = typed.indexOf('=')
  return at < 1 ? null : { name: typed.slice(0, at), text: typed.slice(at + 1) }
}

/**
 * Takes a condition's text apart.
 * @param field decides by its operator; null while the definition is unknown: then `..` alone makes
 * a range
 */
export function readCondition(
  text: string,
  field: Pick<Field, 'queryType' | 'uiType'> | null,
): Reading {
  const operator = field === null ? null : toQueryOperator(field.queryType)
  if (operator === 'between') return { kind: 'range', ends: splitRange(text) ?? [text, text] }
  const ends = field === null ? splitRange(text) : null
  if (ends !== null) return { kind: 'range', ends }
  const isChoice = field !== null && findKind(field.uiType).family === 'choice'
  const isList =
    operator === 'in' || operator === 'multiContains' || (isChoice && /,|%2C|%25/.test(text))
  return isList ? { kind: 'list', words: splitWords(text) } : { kind: 'one', word: text }
}

/**
 * Whether a text with commas may be the id of one choice: an item has it, or, where the items are not
 * known, it is no list of numbers. The server then decides whether a row has it
 * (docs/rules/contract.md#row-ids).
 */
export function isOneWord(
  text: string,
  { uiType, dictData }: Pick<Field, 'uiType'> & Partial<Pick<Field, 'dictData'>>,
): boolean {
  if (findKind(uiType).family !== 'choice') return false
  if (!text.includes(',') || /%2C|%25/.test(text)) return false
  if (dictData !== undefined) return dictData.some(({ id, name }) => id === text || name === text)
  return !text.split(',').every((word) => /^\d*$/.test(word.trim()))
}

/** Words as one text: commas and `%` within a word are percent-encoded. */
export function joinWords(words: readonly string[]): string {
  return words.map((word) => word.replace(/[%,]/g, encodeURIComponent)).join(',')
}

/** The words of a comma list, as {@link joinWords} writes it or as a person types it. */
function splitWords(text: string): readonly string[] {
  return text.split(',').map((word) => word.replaceAll('%2C', ',').replaceAll('%25', '%'))
}

function splitRange(text: string): readonly [string | null, string | null] | null {
  if (!text.includes('..')) return null
  const [from = '', to = ''] = text.split('..', 2)
  return [from === '' ? null : from, to === '' ? null : to]
}

/** The words of a condition that may name a choice. */
export function listConditionWords(reading: Reading): readonly string[] {
  return reading.kind === 'list' ? reading.words : reading.kind === 'one' ? [reading.word] : []
}

/** The condition's value in a query. @param idOf the id of a choice for its name */
export function queryValue(
  reading: Reading,
  idOf: (word: string) => string = (word) => word,
): unknown {
  switch (reading.kind) {
    case 'range':
      return reading.ends
    case 'list':
      return reading.words.map(idOf)
    case 'one':
      return idOf(reading.word)
    default:
      return reading satisfies never
  }
}

/** A typed sort; `asc` is null when its direction is none of asc, desc, true, false. */
export interface TypedSort {
  readonly typed: string
  readonly column: string
  readonly asc: boolean | null
}
const directions: Readonly<Record<string, boolean>> = {
  asc: true,
  true: true,
  desc: false,
  false: false,
}

/** `no:desc,name`: a comma list; a bare name ascends. */
export function readSorts(text: string): readonly TypedSort[] {
  return text
    .split(',')
    .filter((typed) => typed !== '')
    .map((typed) => {
      const [column = '', direction = 'asc'] = typed.split(':')
      return { typed, column, asc: directions[direction] ?? null }
    })
}

/**
 * The filters and sorts of an address (docs/spec/1-entity-console.md §2): every key that does not
 * begin with an underscore is a filter, except `sorts`. A sort of unknown direction ascends.
 */
export function queryOfAddress(search: string): Query {
  const params = new URLSearchParams(search)
  return {
    queries: Object.fromEntries(
      [...params]
        .filter(([key]) => !key.startsWith('_') && key !== 'sorts' && key !== '')
        .map(([key, text]) => [key, queryValue(readCondition(text, null))]),
    ),
    sorts: readSorts(params.get('sorts') ?? '')
      .filter(({ column }) => column !== '')
      .map(({ column, asc }) => ({ column, asc: asc ?? true })),
  }
}

/**
 * A saved view with what was typed over it: typed filters replace the view's of the same field,
 * typed sorts all of the view's.
 */
export function withView(view: Query | null, typed: Query): Query {
  return {
    queries: { ...view?.queries, ...typed.queries },
    sorts: typed.sorts.length > 0 ? typed.sorts : (view?.sorts ?? []),
    where: joinedWhere(view?.where ?? null, typed.where ?? null) ?? undefined,
  }
}

/** The part of a query whose fields the entity still has. */
export function knownPart(
  { fields, times = [] }: Pick<EntityConfig, 'fields' | 'times'>,
  { queries, sorts, where }: Query,
): Query {
  const names = new Set<string>([...fields.map(({ attrName }) => attrName), ...times])
  return {
    queries: Object.fromEntries(Object.entries(queries).filter(([name]) => names.has(name))),
    sorts: sorts.filter(({ column }) => names.has(column)),
    where: knownWhere(where ?? null, names) ?? undefined,
  }
}
