import type { EntityDefinition } from './definition.ts'
import type { TableDrift } from './table.ts'

/**
 * A stored definition (docs/rules/contract.md#definitions), with the version to send back and the
 * user who saved it last.
 */
export interface StoredEntity extends EntityDefinition {
  readonly id: string
  /** Sent back with a save, which fails when the stored version differs. */
  readonly version: number
  /** Part of the product: cannot be edited. */
  readonly builtIn: boolean
  readonly updateTime: string
  readonly updateUser: string | null
}
/** Keys of {@link StoredEntity} beside those of the definition. */
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

/** The definition without the keys that the server adds. */
export function withoutStoredKeys(stored: EntityDefinition): EntityDefinition {
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
  /** Whether the table no longer matches the definition. */
  readonly hasDrift: boolean
}

/**
 * An error or warning about a definition, in the caller's language; `id` is the check's
 * (`entity.E004`).
 */
export interface DefinitionFinding {
  readonly id: string
  readonly severity: 'error' | 'warning'
  readonly path: string
  readonly attrName: string | null
  readonly msg: string
  /** A finding of a flow: its own id, the path that shows it, and the states on it. */
  readonly flow?: {
    readonly id: string
    readonly path: readonly { readonly who: string; readonly event: string }[]
    readonly states: readonly string[]
  }
}

/** Kinds of objects that depend on something a change removes. */
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
  'flowCases',
  'flowOwned',
] as const
export type ImpactKind = (typeof impactKinds)[number]
export interface Impact {
  readonly kind: ImpactKind
  /** The affected object: an entity's tag, a role's name, a menu entry. */
  readonly object: string
  /** Whether the object stops working; otherwise it only looks different. */
  readonly breaks: boolean
  readonly msg: string
}

/** One saved revision of a definition. */
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
