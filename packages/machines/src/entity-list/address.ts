import { defaultLocale } from '@jiaowu/api/locale'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import {
  footerFunctions,
  type GroupQuery,
  groupUnits,
  isRelatedLeaf,
  type TableQuery,
  type Where,
} from '@jiaowu/api/entity/list/list-query'
import { limits } from '@jiaowu/api/limits'
import { toQueryOperator } from '@jiaowu/api/entity/enums'
import { queryFields, sortFields, timeFields } from '@jiaowu/api/entity/list/time-fields'
import { table as tableSchema, where as whereSchema } from '@jiaowu/api/contract/shapes'
import { parseJson } from '@jiaowu/api/exact-json'
import * as v from 'valibot'
import type { Look } from './context.ts'
import { canGroup, figureFitsField } from './figures.ts'
import { tableFits } from './table.ts'
import { listLeaves } from './conditions/where.ts'
import {
  isOneWord,
  joinWords,
  type Query,
  queryValue,
  readCondition,
  readSorts,
} from './conditions/conditions.ts'

/**
 * The state that the address of a list names. Page and size are null where it does not name them.
 */
export interface ListAddress extends Omit<Query, 'where'>, Look {
  readonly where: Where | null
  readonly pageNum: number | null
  readonly pageSize: number | null
  /** Names of conditions that the list does not have, as they stand in the address. */
  readonly unknown: readonly string[]
}

/** The state that the address of a list is written from. */
export interface AddressedList extends Omit<Query, 'where'>, Look {
  readonly where: Where | null
  readonly pageNum: number
  readonly pageSize: number
  /** Size of the list that the user's settings give; it is not written. */
  readonly usualSize: number
  /** The open view, and whether the list still shows exactly its content. */
  readonly view: { readonly id: string; readonly isChanged: boolean } | null
}

const prefix = 'q.'
const reserved = new Set([
  'sorts',
  'where',
  'page',
  'size',
  'view',
  'mode',
  'group',
  'table',
  'footer',
  'freeze',
  '',
])

/**
 * Conditions are `q.<attrName>=`, or a bare `<attrName>=`, the preset of
 * docs/spec/1-entity-console.md §2. Keys with an underscore belong to the console.
 */
function conditionsIn(search: string): readonly (readonly [key: string, text: string])[] {
  return [...new URLSearchParams(search)].filter(
    ([key]) => !key.startsWith('_') && !reserved.has(key),
  )
}

/** Whether an address says what the list shows, so that no default view replaces it. */
export function isPresetAddress(search: string): boolean {
  const params = new URLSearchParams(search)
  return (
    conditionsIn(search).length > 0 ||
    ['sorts', 'where', 'group', 'footer', 'freeze'].some((key) => params.has(key))
  )
}

/** Whether two addresses say the same of the list, whatever they say to the console. */
export function isSameList(a: string, b: string): boolean {
  return formatOwnQuery(a) === formatOwnQuery(b)
}

function formatOwnQuery(search: string): string {
  const keys = [...new URLSearchParams(search)].filter(([key]) => !isOfConsole(key))
  return JSON.stringify(keys.map((each) => each.join('=')).sort())
}

const isOfConsole = (key: string) => key.startsWith('_') || key === 'mode'

/** Id of the view that an address opens; null: none. */
export function viewOfAddress(search: string): string | null {
  const id = new URLSearchParams(search).get('view') ?? ''
  return id === '' ? null : id
}

/** Page of an address, which is known before the definition is; 1 where it names none. */
export function pageOfAddress(search: string): number {
  return wholeIn(new URLSearchParams(search).get('page'), 1, 1_000_000) ?? 1
}

export function readAddress(
  search: string,
  config: Pick<EntityConfig, 'fields' | 'times'>,
): ListAddress {
  const params = new URLSearchParams(search)
  // Only the meaning of the fields is used, not their labels.
  const filters = new Map(
    queryFields(config, defaultLocale).map((field) => [field.attrName, field]),
  )
  const sortable = new Set(sortFields(config, defaultLocale).map(({ attrName }) => attrName))
  const known = conditionsIn(search).map(
    ([key, text]) => [key, filters.get(stripPrefix(key)), text] as const,
  )
  const sorts = readSorts(params.get('sorts') ?? '')
  const isFilter = (column: string) => filters.has(column) || isRelatedLeaf({ column })
  const where = readWhere(params.get('where'), isFilter)
  const look = readLook(params, config, isFilter)
  const isSortable = (column: string) => sortable.has(column)
  return {
    queries: Object.fromEntries(
      known.flatMap(([, field, text]) =>
        field === undefined ? [] : [[field.attrName, valueIn(text, field)] as const],
      ),
    ),
    sorts: sorts
      .filter(({ column }) => isSortable(column))
      .map(({ column, asc }) => ({ column, asc: asc ?? true })),
    where: where === 'unknown' ? null : where,
    group: look.group,
    footer: look.footer,
    frozen: look.frozen,
    pageNum: wholeIn(params.get('page'), 1, 1_000_000),
    pageSize: wholeIn(params.get('size'), 1, limits.maxPageSize),
    unknown: [
      ...known.filter(([, field]) => field === undefined).map(([key]) => key),
      ...sorts.filter(({ column }) => !isSortable(column)).map(({ column }) => column),
      ...(where === 'unknown' ? ['where'] : []),
      ...look.unknown,
    ],
  }
}

function valueIn(text: string, field: Pick<Field, 'uiType' | 'queryType' | 'dictData'>): unknown {
  return isOneWord(text, field) ? text : queryValue(readCondition(text, field))
}

/** `footer=score:avg,score:max`, `freeze=name`, and the groups. */
function readLook(
  params: URLSearchParams,
  config: Pick<EntityConfig, 'fields' | 'times'>,
  isFilter: (column: string) => boolean,
): Look & { readonly unknown: readonly string[] } {
  const fieldNamed = (name: string) => config.fields.find(({ attrName }) => attrName === name)
  const grouped = readGroup(params, config, isFilter)
  const figures = (params.get('footer') ?? '')
    .split(',')
    .filter((typed) => typed !== '')
    .map((typed) => {
      const [column = '', name] = typed.split(':')
      const [field, fn] = [fieldNamed(column), footerFunctions.find((each) => each === name)]
      return field !== undefined && fn !== undefined && figureFitsField(field, fn)
        ? { column, fn }
        : typed
    })
  const frozen = params.get('freeze') ?? ''
  const isFrozen = fieldNamed(frozen)?.isList === 1
  return {
    group: grouped.group,
    footer: figures.filter((each) => typeof each !== 'string').slice(0, limits.maxFooters),
    frozen: isFrozen ? frozen : null,
    unknown: [
      ...grouped.unknown,
      ...figures.filter((each) => typeof each === 'string').map((typed) => `footer=${typed}`),
      ...(isFrozen || frozen === '' ? [] : [`freeze=${frozen}`]),
    ],
  }
}

/** `group=college`, `group=birthDate:month`, and `table=` as JSON beside it. */
function readGroup(
  params: URLSearchParams,
  config: Pick<EntityConfig, 'fields' | 'times'>,
  isFilter: (column: string) => boolean,
): Pick<Look, 'group'> & { readonly unknown: readonly string[] } {
  const [column = '', unit] = (params.get('group') ?? '').split(':')
  const by = groupUnits.find((each) => each === unit)
  const field = config.fields.find(({ attrName }) => attrName === column)
  const asked = params.get('table') ?? ''
  if (field === undefined || !canGroup(field))
    return {
      group: null,
      unknown: [...(column === '' ? [] : [`group=${column}`]), ...(asked === '' ? [] : ['table'])],
    }
  const group: GroupQuery = { column, ...(by === undefined ? {} : { by }) }
  const table = readTable(asked)
  if (table !== null && tableFits(config, { ...group, table }, isFilter))
    return { group: { ...group, table }, unknown: [] }
  return { group, unknown: asked === '' ? [] : ['table'] }
}

/** A table of groups as JSON; null where there is none. */
function readTable(text: string): TableQuery | null {
  if (text === '') return null
  try {
    const read = v.safeParse(tableSchema, parseJson(text))
    return read.success ? read.output : null
  } catch {
    return null // not JSON
  }
}

/** Conditions in groups as JSON; `unknown` when they are not, or name another field. */
function readWhere(
  text: string | null,
  isFilter: (column: string) => boolean,
): Where | null | 'unknown' {
  if (text === null || text === '') return null
  try {
    const read = v.safeParse(whereSchema, parseJson(text))
    return read.success && listLeaves(read.output).every(({ column }) => isFilter(column))
      ? read.output
      : 'unknown'
  } catch {
    return 'unknown' // not JSON
  }
}

const stripPrefix = (key: string) => (key.startsWith(prefix) ? key.slice(prefix.length) : key)

function wholeIn(text: string | null, least: number, most: number): number | null {
  const number = text === null || !/^\d{1,7}$/.test(text) ? 0 : Number(text)
  return number >= least && number <= most ? number : null
}

/**
 * The query part of a list's address. Keys of the console and the mode stay as they stand in
 * `search`.
 */
export function writeAddress(
  search: string,
  config: Pick<EntityConfig, 'fields' | 'times'>,
  list: AddressedList,
): string {
  const operators = new Map(
    [...config.fields, ...timeFields(config, defaultLocale)].map(({ attrName, queryType }) => [
      attrName,
      toQueryOperator(queryType),
    ]),
  )
  const params = new URLSearchParams()
  if (list.view === null || list.view.isChanged) {
    for (const [name, value] of Object.entries(list.queries))
      params.set(`${prefix}${name}`, formatCondition(value, operators.get(name) === 'between'))
    if (list.sorts.length > 0)
      params.set(
        'sorts',
        list.sorts.map(({ column, asc }) => `${column}:${asc ? 'asc' : 'desc'}`).join(),
      )
    if (list.where !== null) params.set('where', JSON.stringify(list.where))
    if (list.group !== null) {
      const { column, by } = list.group
      params.set('group', by === undefined ? column : `${column}:${by}`)
      if (list.group.table !== undefined) params.set('table', JSON.stringify(list.group.table))
    }
    if (list.footer.length > 0)
      params.set('footer', list.footer.map(({ column, fn }) => `${column}:${fn}`).join())
    if (list.frozen !== null) params.set('freeze', list.frozen)
    if (list.pageSize !== list.usualSize) params.set('size', String(list.pageSize))
  }
  // Nothing is left of the view's content: without a word of it a reload would show the whole view.
  if (list.view?.isChanged === true && !isPresetAddress(params.toString())) params.set('sorts', '')
  if (list.pageNum > 1) params.set('page', String(list.pageNum))
  if (list.view !== null) params.set('view', list.view.id)
  for (const [key, value] of new URLSearchParams(search))
    if (isOfConsole(key)) params.set(key, value)
  const text = params.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
  return text === '' ? '' : `?${text}`
}

/**
 * A condition's text, as {@link readCondition} takes it apart. Within a list `%` and commas of a value
 * are encoded.
 */
function formatCondition(value: unknown, isRange: boolean): string {
  if (!Array.isArray(value)) return formatItemId(value)
  return isRange ? value.map(formatItemId).join('..') : joinWords(value.map(formatItemId))
}

function formatItemId(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' && 'id' in value ? String(value.id) : String(value)
}
