import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import type { TableDrafts } from '@jiaowu/api/entity/definition/table'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

export interface AdoptTablesPorts {
  /** The names of the tables asked for; by default of all without an entity. */
  readonly tables: Port<AdoptTablesAsked, readonly string[]>
  /** The call `design.draftAll`: drafts of some tables, which are brought in with the others. */
  readonly draft: Port<
    { readonly tables: readonly string[]; readonly together: readonly string[] },
    TableDrafts
  >
  /** The call `design.adopt`: saves all or none. Answers how many. */
  readonly adopt: Port<{ readonly definitions: readonly EntityDefinition[] }, number>
}
export interface AdoptTablesAsked {
  readonly schemas?: readonly string[]
  readonly tables?: readonly string[]
  /** Only tables whose names match: `student*`, `edfi.*`, or a part of the name. */
  readonly match?: string
  /** At most as many, in the order of their names. */
  readonly first?: number
  /** Tables that one call drafts, so that progress can be shown. */
  readonly batch?: number
}
export function adoptTablesActors(ports: AdoptTablesPorts): ActorsOf<AdoptTablesPorts> {
  return createPortActors(ports, ['tables', 'draft', 'adopt'])
}
