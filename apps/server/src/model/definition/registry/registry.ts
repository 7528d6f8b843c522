// Caches every entity of every tenant, matched with the catalog. At most once a second it checks
// whether a definition has changed. Reading the catalog costs twenty times as much, so tables are
// checked every ten seconds, when a definition has changed, and for callers that ask for the catalog.
import { findKind } from '@jiaowu/api/fields/kinds'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { formSchema } from '@jiaowu/api/entity/definition/sheet'
import type { Logger } from 'pino'
import { notFound } from '../../../platform/refusal.ts'
import type { Database } from '../../../platform/database/open-database.ts'
import { type Catalog, type CatalogTable, readCatalog, readCatalogStamp } from '../catalog.ts'
import { type DefinitionRow, readDefinitions, readStamp } from './definitions.ts'
import { guardDefinition } from './guard.ts'
import { readDefinition } from './newer.ts'
import { tableKey } from '../column-key.ts'
import { type Keys, lateKeys } from '../../../platform/keys/keys.ts'
import { createSealer } from '../../sealed/sealed-columns.ts'
import {
  type BaseMarks,
  indexColumns,
  inheritedMark,
  isPlatformTable,
  isTableOfSchools,
  refusalOfColumn,
  refusalOfRows,
  sealedBase,
} from '../origins/view-guard.ts'
import type { LoadedEntity } from '../loaded.ts'
import { loadEntity } from '../load-entity.ts'
import { type MarkedColumns, markedColumns, markKey } from './marks.ts'
import type { Tables } from '../../../platform/database/tables/tables.ts'
import type { Kysely } from 'kysely'
import type { EntityRegistry } from './entity-registry.ts'

/** Holds the shipped definitions; a tenant's own definition of the same tag replaces one. */
const baseTenant = '0'
const freshForMs = 1_000
const tablesFreshForMs = 10_000

interface CatalogSnapshot {
  readonly stamp: string
  readonly catalog: Catalog
}
interface RegistrySnapshot {
  readonly stamp: string
  readonly tables: CatalogSnapshot
  readonly byTenant: ReadonlyMap<string, ReadonlyMap<string, LoadedEntity>>
  /** Whether a newer program has written one of the definitions. */
  readonly hasNewer: boolean
}

type EntitiesByTable = ReadonlyMap<string, readonly LoadedEntity[]>

const empty: ReadonlyMap<string, LoadedEntity> = new Map()

interface RegistryOptions {
  readonly now?: () => number
  /** Keys of the encrypted columns. */
  readonly keys?: Keys
  /** The setting BUSINESS_SCHEMAS. */
  readonly schemas?: readonly string[]
}

/** One per server. `now` returns milliseconds and only decides when to check for changes. */
export function createRegistry(
  database: Pick<Database, 'kysely' | 'untyped'>,
  log: Logger,
  { now = Date.now, keys = lateKeys(), schemas = ['biz', 'public'] }: RegistryOptions = {},
): EntityRegistry {
  const db = database.kysely
  const tables = createTableReader(database.untyped, now, [
    ...new Set([...schemas, 'biz', formSchema, 'sys']),
  ])
  let loaded: RegistrySnapshot | undefined
  /** The newest snapshot, also while a change is being read. */
  let latest: RegistrySnapshot | undefined
  let checkedAt = Number.NEGATIVE_INFINITY
  let pending: Promise<RegistrySnapshot> | undefined
  let invalidations = 0

  const refresh = async (): Promise<RegistrySnapshot> => {
    const before = invalidations
    const stamp = await readStamp(db)
    const known = await tables.read(loaded?.stamp === stamp ? tablesFreshForMs : 0)
    const found =
      loaded?.stamp === stamp && loaded.tables === known
        ? loaded
        : await loadRegistry(db, stamp, known, log, keys)
    latest = found
    // A definition saved during the read may be missing: do not cache the result.
    if (before !== invalidations) return found
    loaded = found
    checkedAt = now()
    return found
  }
  const current = async (): Promise<RegistrySnapshot> => {
    if (loaded !== undefined && now() - checkedAt < freshForMs) return loaded
    if (pending !== undefined) return await pending
    const request = refresh().finally(() => {
      if (pending === request) pending = undefined
    })
    pending = request
    return await request
  }
  const find = async (tenant: string, tag: string): Promise<LoadedEntity | undefined> => {
    return findIn(await current(), tenant, tag)
  }
  const all = async (tenant: string): Promise<LoadedEntity[]> =>
    listEntities(await current(), tenant)
  const ofTable = (tenant: string, table: string): readonly LoadedEntity[] =>
    latest === undefined ? [] : (tablesOf(latest, tenant).get(table) ?? [])
  return {
    find,
    all,
    known: (tenant, tag) => (latest === undefined ? undefined : findIn(latest, tenant, tag)),
    ofTable,
    withFlow: (tenant) => (latest === undefined ? [] : flowsOf(latest, tenant)),
    hasNewer: () => latest?.hasNewer ?? false,
    tableOf: (table) => latest?.tables.catalog.get(table),
    get: async (tenant, tag) => {
      const entity = await find(tenant, tag)
      if (entity === undefined) throw notFound()
      return entity
    },
    ofField: async (tenant, fieldId) =>
      (await all(tenant)).find(({ fields }) =>
        fields.some(({ definition }) => definition.id === fieldId),
      ),
    catalog: async (maxAgeMs = freshForMs) => (await tables.read(maxAgeMs)).catalog,
    invalidate: () => {
      invalidations += 1
      checkedAt = Number.NEGATIVE_INFINITY
      tables.forget()
      loaded = undefined
      pending = undefined
    },
  }
}

/** The tenant's entities, in its own definitions and the shipped ones. */
function listEntities({ byTenant }: RegistrySnapshot, tenant: string): LoadedEntity[] {
  return [
    ...new Map([
      ...(byTenant.get(baseTenant) ?? empty),
      ...(byTenant.get(tenant) ?? empty),
    ]).values(),
  ]
}

const tablesOf = rememberByTenant((entities): EntitiesByTable => Map.groupBy(entities, tableKey))
const flowsOf = rememberByTenant((entities): readonly LoadedEntity[] =>
  entities.filter(({ definition }) => definition.options.flow !== undefined),
)

/** Computes something of a tenant's entities once for each snapshot. */
function rememberByTenant<T>(compute: (entities: readonly LoadedEntity[]) => T) {
  const known = new WeakMap<RegistrySnapshot, Map<string, T>>()
  return (snapshot: RegistrySnapshot, tenant: string): T => {
    const ofSnapshot = known.get(snapshot) ?? new Map<string, T>()
    known.set(snapshot, ofSnapshot)
    const found = ofSnapshot.get(tenant) ?? compute(listEntities(snapshot, tenant))
    ofSnapshot.set(tenant, found)
    return found
  }
}

/** The school's own entity, or the shipped one. */
function findIn(
  { byTenant }: RegistrySnapshot,
  tenant: string,
  tag: string,
): LoadedEntity | undefined {
  return byTenant.get(tenant)?.get(tag) ?? byTenant.get(baseTenant)?.get(tag)
}

/** Reads the catalog again only when its fingerprint has changed. `now` returns milliseconds. */
function createTableReader(db: Kysely<unknown>, now: () => number, schemas: readonly string[]) {
  let tables: CatalogSnapshot | undefined
  let checkedAt = Number.NEGATIVE_INFINITY
  let pending: Promise<CatalogSnapshot> | undefined
  const check = async (): Promise<CatalogSnapshot> => {
    const at = now()
    const stamp = await readCatalogStamp(db, schemas)
    if (tables?.stamp !== stamp) tables = { stamp, catalog: await readCatalog(db, schemas) }
    checkedAt = at
    return tables
  }
  return {
    /** The tables as of at most `maxAgeMs` ago. */
    read: async (maxAgeMs: number): Promise<CatalogSnapshot> => {
      if (tables !== undefined && now() - checkedAt < maxAgeMs) return tables
      const request =
        pending ??
        check().finally(() => {
          if (pending === request) pending = undefined
        })
      pending = request
      return await request
    },
    forget: () => {
      checkedAt = Number.NEGATIVE_INFINITY
      pending = undefined
    },
  }
}

async function loadRegistry(
  db: Kysely<Tables>,
  stamp: string,
  tables: CatalogSnapshot,
  log: Logger,
  keys: Keys,
): Promise<RegistrySnapshot> {
  const definitions = (await readDefinitions(db)).flatMap((row) => parseDefinition(row, log))
  const { catalog } = tables
  const grouped = Map.groupBy(definitions, ({ tenant }) => tenant)
  const base = grouped.get(baseTenant) ?? []
  const baseMarks = markedColumns(base)
  const isOfSchools = tablesOfSchools(definitions)
  const byTenant = new Map<string, ReadonlyMap<string, LoadedEntity>>()
  for (const [tenant, own] of grouped) {
    const marks = tenant === baseTenant ? baseMarks : markedColumns([...base, ...own])
    // A tenant that marks more columns than the shipped definitions gets its own copy of those.
    const needed = marks.size > baseMarks.size ? [...base, ...own] : own
    const context = {
      catalog,
      marks,
      keys,
      isOfSchools,
      passwords: passwordColumns([...base, ...own]),
    }
    byTenant.set(
      tenant,
      new Map(
        needed
          .flatMap((each) => loadDefinition(each, context, each.tenant === tenant ? log : null))
          .map((entity) => [entity.tag, entity]),
      ),
    )
  }
  return { stamp, tables, byTenant, hasNewer: definitions.some(({ isNewer }) => isNewer) }
}

/** A stored definition that could be read. */
interface ParsedDefinition extends DefinitionRow {
  readonly definition: EntityDefinition
  readonly isNewer: boolean
}

function parseDefinition(row: DefinitionRow, log: Logger): ParsedDefinition[] {
  const read = readDefinition(row.definition)
  if ('definition' in read) {
    const { unknown } = read
    if (unknown.length > 0)
      log.warn(
        { tag: row.tag, tenant: row.tenant, unknown: unknown.slice(0, 5) },
        'a newer program has written this definition; what is unknown here is left out',
      )
    const definition = guardDefinition(read.definition, (part) =>
      log.error(
        { tag: row.tag, tenant: row.tenant, ...part },
        'a part of a stored definition is not allowed and is left out',
      ),
    )
    return definition === null ? [] : [{ ...row, definition, isNewer: unknown.length > 0 }]
  }
  log.error(
    {
      tag: row.tag,
      tenant: row.tenant,
      issues: read.reasons,
    },
    'an entity definition cannot be read and is left out',
  )
  return []
}

/** Facts of a school's definitions and of the catalog about the tables behind its views. */
interface Loading {
  readonly catalog: Catalog
  readonly marks: MarkedColumns
  readonly passwords: ReadonlySet<string>
  readonly keys: Keys
  /** Whether the rows of a table from elsewhere belong to schools. */
  readonly isOfSchools: (table: string) => boolean
}

function tablesOfSchools(
  definitions: readonly Pick<ParsedDefinition, 'definition'>[],
): (table: string) => boolean {
  const found = new Set(
    definitions
      .filter(({ definition: { options } }) => options.systemColumns?.includes('tenant_id'))
      .map(({ definition: { schemaName, tableName } }) => `${schemaName}.${tableName}`),
  )
  return (table) => found.has(table)
}

/** Columns that some definition has as passwords. */
function passwordColumns(
  definitions: readonly Pick<ParsedDefinition, 'definition'>[],
): ReadonlySet<string> {
  return new Set(
    definitions.flatMap(({ definition }) =>
      definition.fields
        .filter(({ uiType, columnName }) => columnName !== null && findKind(uiType).secret)
        .map((field) => markKey(definition, field)),
    ),
  )
}

/** `log` is null where the same definition is loaded again for another tenant. */
function loadDefinition(
  { definition, tag, revision }: ParsedDefinition,
  loading: Loading,
  log: Logger | null,
): LoadedEntity[] {
  const { catalog, marks, passwords, keys, isOfSchools } = loading
  const name = `${definition.schemaName}.${definition.tableName}`
  const known = catalog.get(name)
  const tableOf = (table: string) => catalog.get(table)
  const ofBases: BaseMarks = {
    markOf: (table, column) => marks.get(`${table}.${column}`) ?? null,
    isPassword: (table, column) => passwords.has(`${table}.${column}`),
  }
  const refusal = known === undefined ? null : refusalOfRows(known, tableOf, isOfSchools)
  const entity =
    refusal === null
      ? loadEntity(
          definition,
          revision,
          known,
          (drift) => log?.warn({ tag, ...drift }, 'a field has no usable column and is left out'),
          {
            markOf: (field) =>
              marks.get(markKey(definition, field)) ??
              (known === undefined || field.columnName === null
                ? null
                : inheritedMark(known, field.columnName, ofBases)),
            sealerOf: (_table, column) => sealerOfColumn(known, column, keys),
            digestSecret: () => keys.blind('row names', tag),
            refusalOf: (column) =>
              known === undefined ? null : refusalOfColumn(known, column, ofBases),
            behind: rowsBehind(known, tableOf, isOfSchools),
          },
        )
      : 'rows that cannot be told apart by school'
  if (typeof entity !== 'string') return [entity]
  log?.error({ tag, table: name, refusal }, `an entity has ${entity} and is left out`)
  return []
}

function sealerOfColumn(known: CatalogTable | undefined, column: string, keys: Keys) {
  const sealed = known === undefined ? null : sealedBase(known, column)
  if (known === undefined || sealed === null) return null
  return { ...createSealer(keys, sealed), index: indexColumns(known, sealed) ?? sealed.index }
}

function rowsBehind(
  known: CatalogTable | undefined,
  tableOf: (table: string) => CatalogTable | undefined,
  isOfSchools: (table: string) => boolean,
): Pick<LoadedEntity, 'schools' | 'isOfPlatform'> {
  const sources = known?.origins?.sources ?? []
  return {
    schools: [
      ...new Set(
        sources
          .filter(({ table }) => isTableOfSchools(table, tableOf, isOfSchools))
          .flatMap(({ columns }) => columns.get('tenant_id') ?? []),
      ),
    ],
    isOfPlatform: sources.some(({ table }) => isPlatformTable(table, tableOf)),
  }
}
