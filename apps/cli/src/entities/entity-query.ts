import type { DictItem, Sort } from '@jiaowu/api/entity/values'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import {
  footerFunctions,
  type FooterQuery,
  type GroupQuery,
  groupUnits,
  isRelatedLeaf,
  type Where,
  type WhereNode,
} from '@jiaowu/api/entity/list/list-query'
import { isMoney } from '@jiaowu/api/fields/money'
import { findKind } from '@jiaowu/api/fields/kinds'
import { namingAttribute } from '@jiaowu/api/entity/definition/named-target'
import type { Locale } from '@jiaowu/api/locale'
import { buildNoChoice, findNearest, namedChoices } from '@jiaowu/api/fields/no-choice'
import { parseJson } from '@jiaowu/api/exact-json'
import { queryFields, sortFields, timeFields } from '@jiaowu/api/entity/list/time-fields'
import { joinedWhere } from '@jiaowu/api/entity/list/where-parts'
import type { SavedView } from '@jiaowu/api/entity/list/view'
import { messageText, t } from '@jiaowu/api/texts/index'
import { where as whereSchema } from '@jiaowu/api/contract/shapes'
import * as v from 'valibot'
import { readTyped, sentValue } from '@jiaowu/validation'
import {
  canGroup,
  figuresFor,
  figureFitsField,
  hasUnits,
} from '@jiaowu/machines/entity-list/figures'
import {
  knownPart,
  type Query,
  queryValue,
  readCondition,
  readSorts,
  type Reading,
  splitCondition,
  withView,
  listConditionWords,
} from '@jiaowu/machines/entity-list/conditions/conditions'
import type { Api } from '../session/api.ts'
import { parseOnly, parseTable, type TableFlags, wantsTable } from './group-table.ts'
import { buildChangedSince } from './changed-since.ts'
import { CommandError, exitCodes } from '../exit.ts'

/** The options of a query. */
export interface TypedQuery {
  readonly filter: readonly string[]
  readonly sort?: string
  /** Conditions in groups, as JSON. */
  readonly where?: string
  /** Rows that changed since then: a day, a moment, or `12h`, `3d`. */
  readonly since?: string
  /** Rows that changed since the file did. */
  readonly changedAfter?: string
}

/**
 * The query of `--filter` and `--sort` over a saved view, read as the web console reads an address
 * (docs/rules/contract.md#command-line).
 * @throws CommandError (usage) on a field, direction or choice that is not there
 */
export async function buildTypedQuery(
  api: Api,
  config: EntityConfig,
  { filter, sort, where, since, changedAfter }: TypedQuery,
  view: SavedView | null,
  locale: Locale,
): Promise<Query> {
  const sorts = parseSorts(config, sort, locale)
  const queries = await parseFilters(api, config, filter, locale)
  const typed = joinedWhere(
    where === undefined ? null : await parseWhere(api, config, where, locale),
    await buildChangedSince(config, { since, changedAfter }, locale),
  )
  const saved =
    view === null ? null : knownPart(config, { ...view, where: view.where ?? undefined })
  return withView(saved, { queries, sorts, ...(typed === null ? {} : { where: typed }) })
}

/**
 * `{"and":[{"column":"status","op":"equal","value":"在读"}]}`; choices by id or name.
 * @throws CommandError (usage) for another text, and for a field by which lists do not filter
 */
async function parseWhere(
  api: Api,
  config: EntityConfig,
  text: string,
  locale: Locale,
): Promise<Where> {
  const read = v.safeParse(whereSchema, parseJsonOrNull(text))
  if (!read.success) throw new CommandError(exitCodes.usage, t(locale, 'cli.badWhere'))
  const named = async (node: WhereNode): Promise<WhereNode> => {
    if (!('op' in node)) return await group(node)
    if (isRelatedLeaf(node)) return node
    const field = findQueryField(config, node.column, locale)
    const { value } = node
    const leaf = { ...node, column: field.attrName }
    if (findKind(field.uiType).family !== 'choice' || node.op === 'during') return leaf
    const idOf = (word: unknown) =>
      typeof word === 'string' ? choiceId(api, config, field, word, locale) : word
    return {
      ...leaf,
      value: Array.isArray(value) ? await Promise.all(value.map(idOf)) : await idOf(value),
    }
  }
  const group = async (where: Where): Promise<Where> =>
    'and' in where
      ? { and: await Promise.all(where.and.map(named)) }
      : { or: await Promise.all(where.or.map(named)) }
  return await group(read.output)
}

function parseJsonOrNull(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}

function parseSorts(config: EntityConfig, text: string | undefined, locale: Locale): Sort[] {
  return readSorts(text ?? '').map(({ typed, column, asc }) => {
    if (asc === null)
      throw new CommandError(exitCodes.usage, t(locale, 'cli.badSort', { sort: typed }))
    return { column: createListFieldFinder(sortFields)(config, column, locale).attrName, asc }
  })
}

function fieldIn(fields: readonly Field[], name: string): Field | undefined {
  return (
    fields.find(({ attrName }) => attrName === name) ??
    fields.find(({ uiLabel }) => uiLabel === name)
  )
}

/** @throws CommandError (usage) for a field by which lists do not filter, which names those that do */
function findQueryField(config: EntityConfig, name: string, locale: Locale): Field {
  const fields = queryFields(config, locale)
  const found = fieldIn(fields, name)
  if (found !== undefined) return found
  const { uiLabel } = findEntityField(config, name, locale)
  throw new CommandError(
    exitCodes.usage,
    t(locale, 'cli.noFilter', { field: uiLabel, known: formatAttrNames(fields) }),
  )
}

/** A filter or sort that lists do not have is left to the server, which refuses it by its name. */
const createListFieldFinder =
  (fieldsOf: typeof queryFields) =>
  (config: EntityConfig, name: string, locale: Locale): Field =>
    fieldIn(fieldsOf(config, locale), name) ?? findEntityField(config, name, locale)

const formatAttrNames = (fields: readonly Field[]): string =>
  fields.map(({ attrName }) => attrName).join(' ')

export function findEntityField(config: EntityConfig, attrName: string, locale: Locale): Field {
  const found = config.fields.find(
    (field) => field.attrName === attrName || field.uiLabel === attrName,
  )
  if (found === undefined)
    throw new CommandError(exitCodes.usage, unknownFieldText(config, attrName, locale))
  return found
}

/** Names the field that was probably meant. */
function unknownFieldText(config: EntityConfig, name: string, locale: Locale): string {
  const names = [...config.fields, ...timeFields(config, locale)].flatMap((field) =>
    [field.attrName, field.uiLabel].map((each) => ({ id: field.attrName, name: each })),
  )
  const meant = findNearest(name, names)
  return [
    t(locale, 'cli.unknownField', { field: name, tag: config.tag }),
    ...(meant === null ? [] : [t(locale, 'cli.use.suggestion', { words: meant.name })]),
  ].join(' ')
}

/**
 * `--group birthDate:month` and `--footer score:avg`, else those of a saved view.
 * @throws CommandError (usage) on a field that is not there, or has no such groups or figure
 */
export function parseFigures(
  config: EntityConfig,
  flags: { readonly group?: string; readonly footer: readonly string[] } & TableFlags,
  view: SavedView | null,
  locale: Locale,
): { group?: GroupQuery; footer?: FooterQuery[] } {
  const figure = (typed: string) => parseFigure(config, typed, locale)
  const group = (typed: string) => parseGroup(config, typed, locale)
  const grouped = flags.group === undefined ? null : group(flags.group)
  if (wantsTable(flags)) {
    if (grouped === null) throw new CommandError(exitCodes.usage, t(locale, 'cli.tableNoGroup'))
    const own = listTyped(flags.footer).map((typed) => parseOnly(config, typed, figure, locale))
    const asked = own.length > 0 ? own : [...(view?.footer ?? [])]
    return { group: { ...grouped, table: parseTable(flags, asked, { figure, group }, locale) } }
  }
  const figures = listTyped(flags.footer).map(figure)
  const asked = figures.length > 0 ? figures : [...(view?.footer ?? [])]
  return {
    ...(grouped === null ? {} : { group: grouped }),
    ...(asked.length === 0 ? {} : { footer: asked }),
  }
}

/** Figures are separated by commas, unless they have a condition, which may hold some. */
const listTyped = (texts: readonly string[]) =>
  texts.flatMap((text) => (text.includes('@') ? [text] : text.split(',')))

function parseFigure(config: EntityConfig, typed: string, locale: Locale): FooterQuery {
  const [name = '', wanted] = typed.split(':')
  const field = findEntityField(config, name, locale)
  const fn = footerFunctions.find((each) => each === wanted)
  if (fn === undefined || !figureFitsField(field, fn))
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.badFigure', { figure: typed, known: figuresFor(field).join(' ') }),
    )
  return { column: field.attrName, fn }
}

function parseGroup(config: EntityConfig, typed: string, locale: Locale): GroupQuery {
  const [name = '', unit] = typed.split(':')
  const field = findEntityField(config, name, locale)
  const by = groupUnits.find((each) => each === unit)
  if (!canGroup(field) || (unit !== undefined && (by === undefined || !hasUnits(field))))
    throw new CommandError(exitCodes.usage, t(locale, 'cli.badGroup', { group: typed }))
  return { column: field.attrName, ...(by === undefined ? {} : { by }) }
}

/**
 * `name=张`, `birth=2000-01-01..2001-12-31`, `faculty=信息学院`, `status=1,2`: the field's operator
 * decides.
 * @throws CommandError (usage) on a field or choice that is not there
 */
export async function parseFilters(
  api: Api,
  config: EntityConfig,
  filters: readonly string[],
  locale: Locale,
): Promise<Record<string, unknown>> {
  const queries: Record<string, unknown> = {}
  for (const filter of filters) {
    const { field, text } = parseAssignment(
      config,
      filter,
      t(locale, 'cli.badFilter', { filter }),
      locale,
      createListFieldFinder(queryFields),
    )
    const ids = new Map<string, string>()
    const whole = await wholeChoice(api, config, field, text, queries)
    const reading: Reading =
      whole === null ? readCondition(text, field) : { kind: 'list', words: [text] }
    if (whole !== null) ids.set(text, whole)
    else if (findKind(field.uiType).family === 'choice')
      for (const word of listConditionWords(reading))
        ids.set(word, await choiceId(api, config, field, word, locale, queries))
    queries[field.attrName] = queryValue(
      isMoney(field) ? inFen(field, reading) : reading,
      (word) => ids.get(word) ?? word,
    )
  }
  return queries
}

/** Amounts are typed in yuan; what is none goes as it is, for the server to refuse. */
function inFen(field: Field, reading: Reading): Reading {
  const fen = (text: string) => String(sentValue(field, text) ?? '')
  switch (reading.kind) {
    case 'one':
      return { kind: 'one', word: fen(reading.word) }
    case 'list':
      return { kind: 'list', words: reading.words.map(fen) }
    case 'range': {
      const [from, to] = reading.ends
      return {
        kind: 'range',
        ends: [from === null ? null : fen(from), to === null ? null : fen(to)],
      }
    }
    default:
      return reading satisfies never
  }
}

/**
 * Splits `name=张` into its field and text.
 * @throws CommandError (usage) with `fault` when it has another form
 */
function parseAssignment(
  config: EntityConfig,
  given: string,
  fault: string,
  locale: Locale,
  find = findEntityField,
): { readonly field: Field; readonly text: string } {
  const condition = splitCondition(given)
  if (condition === null) throw new CommandError(exitCodes.usage, fault)
  return { field: find(config, condition.name, locale), text: condition.text }
}

/**
 * The id of a choice, given by its id or its name; the first exact name wins, else the only name with the word
 * as a part, such as the number behind it.
 * @param values of the other fields, whose choices may restrict these
 */
async function choiceId(
  api: Api,
  config: EntityConfig,
  field: Field,
  word: string,
  locale: Locale,
  values: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const named = (items: readonly DictItem[]) =>
    items.find((item) => item.id === word)?.id ??
    items.find((item) => item.name === word)?.id ??
    onlyPart(items, word)
  if (field.dictData !== undefined) return named(field.dictData) ?? word
  const isId = /^\d+$/.test(word)
  // Numbers of people are digits too.
  if (isId && namingAttribute(field) === null) return word
  const found = await lookUp(api, config, field, word, 50, values)
  const id = named(found) ?? (isId ? word : undefined)
  if (id === undefined) {
    const choices = await lookUp(api, config, field, '', namedChoices + 1, values)
    throw new CommandError(
      exitCodes.usage,
      messageText(locale, buildNoChoice(field.uiLabel, word, choices)),
    )
  }
  return id
}

async function lookUp(
  api: Api,
  config: EntityConfig,
  field: Field,
  searchKey: string,
  pageSize: number,
  values: Readonly<Record<string, unknown>>,
): Promise<readonly DictItem[]> {
  const answer = await api.entityData.lookup({
    params: { tag: config.tag },
    body: { fieldId: field.id, searchKey, cascades: parentsIn(field, values), pageSize },
  })
  return 'records' in answer ? answer.records : answer
}

/** The id of the one choice whose id or name is the whole text, commas included; null where none is. */
async function wholeChoice(
  api: Api,
  config: EntityConfig,
  field: Field,
  text: string,
  values: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  if (findKind(field.uiType).family !== 'choice' || !text.includes(',')) return null
  const items = field.dictData ?? (await lookUp(api, config, field, text, 50, values))
  const found =
    items.find(({ id }) => id === text) ?? items.find(({ name }) => name === text) ?? null
  return found?.id ?? null
}

function onlyPart(items: readonly DictItem[], word: string): string | undefined {
  const found = items.filter(({ name }) => name.split(' ').includes(word))
  return found.length === 1 ? found[0]?.id : undefined
}

/** Reads the choices in the cascade parents of a field. */
function parentsIn({ options }: Field, values: Readonly<Record<string, unknown>>) {
  const parents = (options.cascades ?? []).flatMap(({ attrName }) => {
    const value = values[attrName]
    return value === undefined || value === null ? [] : [[attrName, value] as const]
  })
  return parents.length === 0 ? null : Object.fromEntries(parents)
}

/**
 * `name=张`, `tags=a,b`, `remark=` (empty): values of a record in wire form. A text that is no value
 * of its kind is sent as it is, for the server to refuse.
 * @param stored the record as it is, whose choices may restrict those that are typed
 */
export async function parseValues(
  api: Api,
  config: EntityConfig,
  settings: readonly string[],
  locale: Locale,
  stored: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  const assigned = settings.map((setting) =>
    parseAssignment(config, setting, t(locale, 'cli.badSetting', { setting }), locale),
  )
  // Fields that restrict the choices of others come first.
  const rank = ({ field }: { readonly field: Field }) =>
    (field.options.cascades ?? []).length === 0 ? 0 : 1
  for (const { field, text } of assigned.toSorted((a, b) => rank(a) - rank(b))) {
    const kind = findKind(field.uiType)
    const read = kind.family === 'choice' ? kind.fromText(text) : readTyped(field, text).value
    if (read !== undefined || (kind.family !== 'choice' && kind.family !== 'media'))
      values[field.attrName] = read === undefined ? sentValue(field, text) : read
    else if (kind.family === 'media') values[field.attrName] = text.split(',')
    else {
      const known = { ...stored, ...values }
      const whole = kind.multiple ? await wholeChoice(api, config, field, text, known) : null
      values[field.attrName] =
        whole === null
          ? await Promise.all(
              (kind.multiple ? text.split(',') : [text]).map((word) =>
                choiceId(api, config, field, word.trim(), locale, known),
              ),
            )
          : [whole]
    }
  }
  return values
}

/** The columns of a table: the named fields, else those of the definition. */
export function listColumns(
  config: EntityConfig,
  names: string | undefined,
  locale: Locale,
): Field[] {
  return names === undefined
    ? config.fields.filter((field) => field.isList === 1)
    : names
        .split(',')
        .map((name) => name.trim())
        .map(
          (name) =>
            fieldIn(timeFields(config, locale), name) ?? findEntityField(config, name, locale),
        )
}
