import type { EntityDefinition } from './definition.ts'
import type { TableDrift } from './table.ts'

/** A definition as the server keeps it (docs/rules/contract.md#definitions): what is saved back, and who saved it last. */
export interface StoredEntity extends EntityDefinition {
  readonly id: string
  /** Echoed on save; a definition saved meanwhile has another. */
  readonly version: number
  /** Shipped with the product and not edited here. */
  readonly builtIn: boolean
  readonly updateTime: string
  readonly updateUser: string | null
}
/** Keys of {@link StoredEntity} that are not the definition's. */
export const storedKeys = [
  'id',
  'version',
  'builtIn',
  'updateTime',
  'updateUser',
  'findings',
  'drift',
  'note',
  'menu',
] as const

/** The definition alone, without what the server keeps beside it. */
export function definitionOf(stored: EntityDefinition): EntityDefinition {
  return Object.fromEntries(
    Object.entries(stored).filter(([key]) => !(storedKeys as readonly string[]).includes(key)),
  ) as unknown as EntityDefinition
}

/** A definition in a list of definitions. */
export interface EntitySummary extends Pick<
  StoredEntity,
  | 'id'
  | 'version'
  | 'builtIn'
  | 'updateTime'
  | 'updateUser'
  | 'tag'
  | 'name'
  | 'schemaName'
  | 'tableName'
> {
  readonly fieldCount: number
  /** Whether the table is no longer what the definition says. */
  readonly hasDrift: boolean
}

/** One thing wrong with a definition, in the caller's language; `id` is the check's (`entity.E004`). */
export interface DefinitionFinding {
  readonly id: string
  readonly severity: 'error' | 'warning'
  readonly path: string
  readonly attrName: string | null
  readonly msg: string
}

/** What of the product leans on something a change takes away. */
export const impactKinds = [
  'cascade',
  'lookup',
  'button',
  'rule',
  'menu',
  'template',
  'customValue',
  'serial',
  'view',
  'import',
] as const
export type ImpactKind = (typeof impactKinds)[number]
export interface Impact {
  readonly kind: ImpactKind
  /** What is hit: an entity's tag, a role's name, a menu entry. */
  readonly object: string
  /** Whether it stops working (else: it only looks different). */
  readonly breaks: boolean
  readonly msg: string
}

/** A save of the past. */
export interface EntityRevision {
  readonly version: number
  readonly note: string | null
  readonly createTime: string
  readonly createUser: string | null
}

export interface DefinitionCheck {
  readonly findings: readonly DefinitionFinding[]
  readonly impact: readonly Impact[]
  readonly drift: TableDrift
}
