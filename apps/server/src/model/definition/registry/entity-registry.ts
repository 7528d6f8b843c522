import type { Catalog, CatalogTable } from '../catalog.ts'
import type { LoadedEntity } from '../loaded.ts'

export interface EntityRegistry {
  /** @throws Refusal 404 for a tag this tenant does not have */
  readonly get: (tenant: string, tag: string) => Promise<LoadedEntity>
  readonly find: (tenant: string, tag: string) => Promise<LoadedEntity | undefined>
  /** The entity that has a field with this id: field ids are unique across entities. */
  readonly ofField: (tenant: string, fieldId: string) => Promise<LoadedEntity | undefined>
  readonly all: (tenant: string) => Promise<readonly LoadedEntity[]>
  /**
   * The tenant's entities over a table (`biz.grade`), by tag, as last read: no query, so that a
   * transaction may ask. Sheets, formulas and bounds of any of them hold for all.
   */
  readonly ofTable: (tenant: string, table: string) => readonly LoadedEntity[]
  /** The tenant's entities with a flow, as last read: no query. The same array until a definition changes. */
  readonly withFlow: (tenant: string) => readonly LoadedEntity[]
  /** The tenant's entity as last read: no query, so that a transaction may ask. */
  readonly known: (tenant: string, tag: string) => LoadedEntity | undefined
  /** A table (`biz.course`) as last read: no query. Of one without an entity too. */
  readonly tableOf: (table: string) => CatalogTable | undefined
  /** Whether a newer program has written a definition, of which a part is unknown here, as last read. */
  readonly hasNewer: () => boolean
  /** The tables as of at most a second ago, or `maxAgeMs`; entities may know them ten seconds late. */
  readonly catalog: (maxAgeMs?: number) => Promise<Catalog>
  /** Call after saving a definition. Other server instances notice within a second. */
  readonly invalidate: () => void
}
