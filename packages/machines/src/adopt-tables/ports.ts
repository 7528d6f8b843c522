import type { EntityDefinition, TableDrafts } from '@jiaowu/api'
import { actorsOf, type ActorsOf, type Port } from '../port.ts'

export interface AdoptTablesPorts {
  /** The call `design.draftAll`: drafts of all tables without an entity, or of those named. */
  readonly draft: Port<AdoptTablesAsked, TableDrafts>
  /** The call `design.adopt`: saves all or none. Answers how many. */
  readonly adopt: Port<{ readonly definitions: readonly EntityDefinition[] }, number>
}
export interface AdoptTablesAsked {
  readonly schemas?: readonly string[]
  readonly tables?: readonly string[]
}
export function adoptTablesActors(ports: AdoptTablesPorts): ActorsOf<AdoptTablesPorts> {
  return actorsOf(ports, ['draft', 'adopt'])
}
