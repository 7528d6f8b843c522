// Resolves the text of choices to ids, for whole chunks at once: by name, by any unique text of the
// record, or by the id itself (docs/rules/requests.md#r11).
import { cutText } from '@jiaowu/api/cut-text'
import type { DictItem } from '@jiaowu/api/entity/values'
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { Message } from '@jiaowu/api/texts/index'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import { type EntityAccess, fieldRows, isAllowed } from '../../../access/access.ts'
import { filterRows, labelRef, lookupAccess } from '../../../access/lookup-access.ts'
import { countUpTo } from '../../read/totals/count.ts'
import { sqlChoices } from '../../custom-sql/run.ts'
import { dictionaryItems } from '../../../model/definition/dictionary.ts'
import { type LoadedField, valueFields } from '../../../model/definition/loaded.ts'
import {
  allOf,
  anyOf,
  columnRef,
  escapeLike,
  formatTyped,
} from '../../../model/definition/names.ts'
import { namedTargets } from '../../../model/definition/named-target.ts'
import { hasId, idText, isPossibleId } from '../../../model/definition/row-key.ts'
import {
  plainName,
  type Relation,
  loadRelation,
  shownName,
} from '../../../model/definition/relation.ts'
import type { Sealer } from '../../../model/sealed/sealed-columns.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import { type AnyDatabase, databaseOf } from '../../../platform/database/any-database.ts'
import { type Column, familyOf } from '../../../model/fields/column.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { codesIn, splitCoded } from '../../sheets/coded-name.ts'
import type { Ref } from './decode.ts'
import { foldText, nearest } from './fold.ts'

interface Candidate {
  readonly id: string
  readonly name: string
  /** The name as exports write it, where it is masked. */
  readonly shown?: string
  /** Other unique texts of the record. */
  readonly aliases: readonly string[]
  /** Values that cascades filter by, by the target's attrName. */
  readonly filters: Readonly<Record<string, string | null>>
}
type Resolved =
  | { readonly item: DictItem }
  | { readonly rule: string; readonly message: Message; readonly suggestions: readonly string[] }
/** The ids chosen in a cascade's parent; null when none is. */
export type ParentIds = (attrName: string) => readonly string[] | null

/**
 * Targets of at most so many records are loaded whole; larger ones are queried for the words of
 * each chunk.
 */
const heldWhole = 5_000
/** A dictionary of so few items is shown whole when none is similar to the word. */
const fewNames = 6
/** Limit of full scans of a large target for unknown words. */
const maxScans = 200

interface Maps {
  readonly byId: Map<string, Candidate>
  /** Normalised name or alias → candidates. */
  readonly byWord: Map<string, Set<Candidate>>
  /** Normalised id or alias → candidates. */
  readonly byCode: Map<string, Set<Candidate>>
}

function newMaps(): Maps {
  return { byId: new Map(), byWord: new Map(), byCode: new Map() }
}

/** The known choices of one field. */
interface Pool extends Maps {
  readonly field: LoadedField
  /** The alias of a word in an encrypted column; null when the target has none. */
  readonly blind: ((word: string) => string) | null
  /** Loads the candidates for these words and ids. */
  readonly load: (words: ReadonlySet<string>, ids: ReadonlySet<string>) => Promise<void>
  readonly suggest: (word: string) => Promise<string[]>
  /** An unknown word is taken for an id. */
  readonly isOpen?: boolean
}

export interface Resolver {
  /** Call it with all words and ids of a chunk before resolving any of them. */
  readonly prepare: (
    attrName: string,
    words: ReadonlySet<string>,
    ids: ReadonlySet<string>,
  ) => Promise<void>
  readonly resolve: (field: LoadedField, ref: Ref, parents: ParentIds) => Promise<Resolved>
  /** Whether a word names one record of the field's choices, without looking for what is similar. */
  readonly isKnown: (field: LoadedField, word: string) => boolean
  /** The choice whose name, the longest of all, stands in a text; null for none and for several. */
  readonly findWithin: (field: LoadedField, text: string) => DictItem | null
  /** Whether the stored choices of a child still belong to its parents. */
  readonly belongs: (field: LoadedField, ids: readonly string[], parents: ParentIds) => boolean
}

/** Create one per run; it caches candidates. */
export async function createResolver(
  context: Context,
  fields: readonly LoadedField[],
): Promise<Resolver> {
  const pools = new Map<string, Pool>()
  const named = new Map<string, ReadonlyMap<string, Pool>>()
  for (const field of fields.filter(({ kind }) => kind.family === 'choice')) {
    const { dictType, dictValue, attrName } = field.definition
    if (dictType === dictTypes.dictionary && dictValue !== null)
      pools.set(attrName, await dictionaryPool(context, field, dictValue))
    if (dictType === dictTypes.sql && dictValue !== null)
      pools.set(attrName, await sqlPool(context, field, dictValue))
    if (field.namedBy !== undefined) named.set(attrName, await namedPools(context, field))
    else if (dictType === dictTypes.entity) pools.set(attrName, await relationPool(context, field))
  }
  const poolOf = (field: LoadedField, parents: ParentIds) => {
    const { definition, namedBy } = field
    if (namedBy === undefined) return pools.get(definition.attrName)
    const tag = parents(namedBy.attrName)?.[0] ?? ''
    return named.get(definition.attrName)?.get(tag) ?? emptyPool(field)
  }
  return {
    prepare: async (attrName, words, ids) => {
      await pools.get(attrName)?.load(words, ids)
      for (const pool of named.get(attrName)?.values() ?? []) await pool.load(words, ids)
    },
    resolve: async (field, ref, parents) => {
      const pool = poolOf(field, parents)
      // Without a dictionary or target the id is taken as it is, like in a form.
      if (pool === undefined) return { item: { id: ref.id ?? ref.word, name: ref.word } }
      const found = pickCandidate(pool, ref, parents)
      const shown = ref.word === '' ? (ref.id ?? '') : ref.word
      // A statement may have further items by the values of other fields: writing checks the id.
      if (found === 'none' && pool.isOpen === true)
        return { item: { id: ref.id ?? ref.word, name: ref.word } }
      if (found === 'none')
        return {
          rule: 'choice',
          message: { key: 'transfer.rule.noSuchItem', params: { value: shown } },
          suggestions: await pool.suggest(shown),
        }
      if (found === 'many')
        return {
          rule: 'ambiguous',
          message: { key: 'transfer.rule.ambiguous', params: { value: shown } },
          suggestions: [],
        }
      return found === 'cascade'
        ? { rule: 'cascade', message: { key: 'entity.cascade' }, suggestions: [] }
        : { item: { id: found.id, name: found.name } }
    },
    isKnown: (field, word) => {
      const pool = pools.get(field.definition.attrName)
      return pool !== undefined && typeof pickCandidate(pool, { word }, () => null) === 'object'
    },
    findWithin: (field, text) => {
      const pool = pools.get(field.definition.attrName)
      return pool === undefined ? null : findNameWithin(pool, foldText(text))
    },
    belongs: (field, ids, parents) => {
      const pool = poolOf(field, parents)
      return (
        pool === undefined ||
        ids.every((id) => {
          const found = pool.byId.get(id)
          if (found === undefined) return field.namedBy === undefined
          return candidateFits(pool, found, parents)
        })
      )
    },
  }
}

/** Names of one character are in too many texts. */
const shortestName = 2

function findNameWithin({ byWord }: Maps, text: string): DictItem | null {
  const names = [...byWord.keys()].filter(
    (name) => name.length >= shortestName && text.includes(name),
  )
  const [longest = ''] = names.toSorted((a, b) => b.length - a.length)
  const [found, ...more] = byWord.get(longest) ?? []
  return found === undefined || more.length > 0 ? null : { id: found.id, name: found.name }
}

async function dictionaryPool(context: Context, field: LoadedField, code: string): Promise<Pool> {
  const maps = newMaps()
  const english = await dictionaryItems({ ...context, locale: 'en' }, code)
  for (const { id, name, pid } of await dictionaryItems({ ...context, locale: 'zh-CN' }, code)) {
    const other = english.find((item) => item.id === id)?.name
    const [own, alias] =
      context.locale === 'en' && other !== undefined ? [other, name] : [name, other]
    addTo(maps, {
      id,
      name: own,
      aliases: alias === undefined ? [] : [alias],
      filters: { pid: pid ?? null },
    })
  }
  return {
    field,
    ...maps,
    blind: null,
    load: async () => {},
    suggest: async (word) => {
      const names = listPoolNames(maps)
      const similar = nearest(word, names)
      return similar.length === 0 && names.length <= fewNames ? names : similar
    },
  }
}

/** Without items when the statement fails, which sqlChoices logs. */
async function sqlPool(context: Context, field: LoadedField, source: string): Promise<Pool> {
  const maps = newMaps()
  const items = await sqlChoices(context, source).catch((error: unknown) => {
    if (error instanceof Refusal) return []
    throw error
  })
  for (const { id, name, pid } of items)
    addTo(maps, { id, name, aliases: [], filters: { pid: pid ?? null } })
  return {
    field,
    ...maps,
    blind: null,
    isOpen: true,
    load: async () => {},
    suggest: async (word) => nearest(word, listPoolNames(maps)),
  }
}

function addTo({ byId, byWord, byCode }: Maps, candidate: Candidate): void {
  if (byId.has(candidate.id)) return
  byId.set(candidate.id, candidate)
  index(byWord, candidate, [candidate.name, ...candidate.aliases])
  index(byCode, candidate, [candidate.id, ...candidate.aliases])
}

function index(
  map: Map<string, Set<Candidate>>,
  candidate: Candidate,
  words: readonly string[],
): void {
  for (const word of new Set(words.map(foldText))) {
    const known = map.get(word)
    if (known === undefined) map.set(word, new Set([candidate]))
    else known.add(candidate)
  }
}

function listPoolNames({ byId }: Pick<Pool, 'byId'>): string[] {
  return [...byId.values()].map(({ name }) => name)
}

async function namedPools(
  context: Context,
  field: LoadedField,
): Promise<ReadonlyMap<string, Pool>> {
  const pools = new Map<string, Pool>()
  for (const [tag, target] of await namedTargets(context, field))
    pools.set(tag, await relationPool(context, target))
  return pools
}

function emptyPool(field: LoadedField): Pool {
  return { field, ...newMaps(), blind: null, load: async () => {}, suggest: async () => [] }
}

async function relationPool(context: Context, field: LoadedField): Promise<Pool> {
  const maps = newMaps()
  const relation = await loadRelation(context, field)
  if (relation === null) return emptyPool(field)
  const { target, keyed, pii } = relation
  const access = lookupAccess(context, target)
  const db = databaseOf(context)
  const name = labelRef(context, access, relation)
  const aliases = aliasColumns(access, relation)
  const shown = labelRef(context, access, relation, 'parts')
  const filters = (field.definition.options.cascades ?? []).flatMap(({ filterAttr }) => {
    const filter = target.field(filterAttr)
    const isOpen = filter !== undefined && filterRows(access, filter) === null
    return isOpen && filter.column !== null ? [{ filterAttr, column: filter.column }] : []
  })
  const read = candidateReader(db, maps, { relation, name: shown, aliases, filters })
  const blind = aliases.find(({ sealer }) => sealer !== null)?.sealer?.blind ?? null
  const isHeld =
    (await countUpTo(db, { access, where: access.rows, order: [] }, heldWhole + 1)) <= heldWhole
  if (isHeld) await read(access.rows)
  const asked = { words: new Set<string>(), ids: new Set<string>() }
  let scans = 0

  const load: Pool['load'] = async (words, ids) => {
    if (isHeld) return
    const fresh = [...words]
      .flatMap((word) => [word, ...codesIn(word)])
      .filter((word) => !asked.words.has(word))
    const freshIds = [...new Set([...ids, ...fresh])].filter(
      (id) => !asked.ids.has(id) && !maps.byId.has(id) && isPossibleId(keyed, id),
    )
    for (const word of fresh) asked.words.add(word)
    for (const id of freshIds) asked.ids.add(id)
    const byText = [
      { ref: name, sealer: null },
      ...aliases.map((alias) => ({ ref: columnRef(alias.name), sealer: alias.sealer })),
    ].map(
      ({ ref, sealer }) =>
        sql`${ref}::text = any(${formatTyped(sealer === null ? fresh : fresh.map(sealer.blind), 'text[]')})`,
    )
    const byId = freshIds.length === 0 ? [] : [hasId(keyed, freshIds)]
    if (fresh.length > 0 || byId.length > 0)
      await read(allOf([access.rows, anyOf([...(fresh.length > 0 ? byText : []), ...byId])]))
    const missing = fresh
      .filter(
        (word) =>
          !maps.byWord.has(foldText(word)) &&
          !(blind !== null && maps.byWord.has(foldText(blind(word)))) &&
          !maps.byId.has(word) &&
          findCoded(maps, word).length === 0,
      )
      .slice(0, Math.max(0, maxScans - scans))
    if (missing.length === 0) return
    scans += missing.length
    await read(
      allOf([
        access.rows,
        sql`lower(normalize(trim(${name}::text), NFKC)) = any(${formatTyped(missing.map(foldText), 'text[]')})`,
      ]),
    )
  }
  let searches = 0
  const suggest: Pool['suggest'] = async (word) => {
    if (pii !== null) return [] // would tell the values of others
    if (isHeld) return nearest(word, listPoolNames(maps))
    searches += 1
    if (searches > 20) return [] // each is a full scan
    const pattern = formatTyped(`%${escapeLike(cutText(word.trim(), 50))}%`, 'text')
    const { rows } = await sql<{ name: string }>`
      select distinct ${name}::text as name from ${fromTable(target)}
      where ${access.rows} and ${name}::text ilike ${pattern} limit 3`.execute(db)
    return rows.map(({ name }) => name)
  }
  return { field, ...maps, blind, load, suggest }
}

interface CandidateColumns {
  readonly relation: Relation
  readonly name: RawBuilder<unknown>
  readonly aliases: readonly Alias[]
  readonly filters: readonly { readonly filterAttr: string; readonly column: Column }[]
}

/** A function that adds the records of a condition to the known candidates. */
function candidateReader(
  db: AnyDatabase,
  maps: Maps,
  { relation, name: label, aliases, filters }: CandidateColumns,
): (where: ReturnType<typeof allOf>) => Promise<void> {
  const { target } = relation
  const columns = sql.join([
    sql`${idText(relation.keyed)} as id`,
    sql`coalesce(${label}::text, '') as name`,
    ...aliases.map(({ name }, i) => sql`${columnRef(name)}::text as ${sql.id(`a${i}`)}`),
    ...filters.map(({ column }, i) => sql`${columnRef(column.name)}::text as ${sql.id(`f${i}`)}`),
  ])
  return async (where) => {
    const { rows } = await sql<Record<string, string | null>>`
      select ${columns} from ${fromTable(target)} where ${where}`.execute(db)
    for (const row of rows)
      addTo(maps, {
        id: row.id ?? '',
        name: plainName(relation, row.name ?? ''),
        shown: shownName(relation, row.name ?? ''),
        aliases: aliases.flatMap((_column, i) => row[`a${i}`] ?? []),
        filters: Object.fromEntries(
          filters.map(({ filterAttr }, i) => [filterAttr, row[`f${i}`] ?? null]),
        ),
      })
  }
}

/** A column with a unique text; of an encrypted one, its blind index. */
interface Alias {
  readonly name: string
  readonly sealer: Sealer | null
}

/** Columns with a unique text that the user may see, such as a student number. */
function aliasColumns(
  access: EntityAccess,
  { labels, pattern, keyed: relationKey }: Pick<Relation, 'labels' | 'pattern' | 'keyed'>,
): Alias[] {
  const { entity } = access
  return valueFields(entity).flatMap((field) => {
    const { column } = field
    if (
      column === null ||
      (pattern === null && labels[0]?.column?.name === column.name) ||
      relationKey.key.some(({ name }) => name === column.name) ||
      familyOf(column) !== 'text' ||
      field.kind.secret
    )
      return []
    const isUnique = [...entity.table.uniques.values()].some(
      (columns) => columns.filter((name) => name !== 'tenant_id').join() === column.name,
    )
    return isUnique &&
      isAllowed(access, field, 'detail') &&
      fieldRows(access, field, 'detail') === null
      ? [{ name: field.sealer?.index ?? column.name, sealer: field.sealer }]
      : []
  })
}

function pickCandidate(
  pool: Pool,
  ref: Ref,
  parents: ParentIds,
): Candidate | 'none' | 'many' | 'cascade' {
  if (ref.id !== undefined) {
    const found = pool.byId.get(ref.id)
    return found === undefined ? 'none' : candidateFits(pool, found, parents) ? found : 'cascade'
  }
  const named = [
    ...(pool.byWord.get(foldText(ref.word)) ??
      (pool.blind === null ? undefined : pool.byWord.get(foldText(pool.blind(ref.word)))) ??
      []),
  ]
  const exact = named.filter(({ name, aliases }) => name === ref.word || aliases.includes(ref.word))
  const known = exact.length > 0 ? exact : named
  const byId = pool.byId.get(ref.word)
  const all = known.length > 0 ? known : byId === undefined ? [] : [byId]
  const one = chooseOne(pool, all, parents)
  if (one !== 'none' && one !== 'many') return one
  const withCode = findCoded(pool, ref.word)
  return withCode.length === 0 ? one : chooseOne(pool, withCode, parents)
}

function chooseOne(
  pool: Pool,
  all: readonly Candidate[],
  parents: ParentIds,
): Candidate | 'none' | 'many' | 'cascade' {
  const fitting = all.filter((candidate) => candidateFits(pool, candidate, parents))
  if (all.length === 0) return 'none'
  if (fitting.length === 0) return 'cascade'
  return fitting.length > 1 ? 'many' : (fitting[0] ?? 'none')
}

/** The records of a name with the key beside it. The name must be theirs, or its mask. */
function findCoded({ byCode }: Pick<Maps, 'byCode'>, word: string): Candidate[] {
  const found = splitCoded(word).flatMap(({ name, code }) =>
    [...(byCode.get(foldText(code)) ?? [])].filter((candidate) =>
      [candidate.name, candidate.shown ?? candidate.name].some(
        (each) => foldText(each) === foldText(name),
      ),
    ),
  )
  return [...new Set(found)]
}

function candidateFits(pool: Pool, candidate: Candidate, parents: ParentIds): boolean {
  return (pool.field.definition.options.cascades ?? []).every(({ attrName, filterAttr }) => {
    const ids = Object.hasOwn(candidate.filters, filterAttr) ? parents(attrName) : null
    return ids === null || ids.includes(candidate.filters[filterAttr] ?? '')
  })
}
