import { allPermission } from '../limits.ts'

/** Permissions besides the actions on entities (docs/rules/security.md#permissions). */
export const functionPermissions = [
  'entity:design',
  'entity:adopt',
  'entity:sql',
  'pii:reveal',
  'pii:export',
  'print:preview',
  'print:download',
  'print:revoke',
  'pay:refund',
  'audit:view',
  'job:view',
  'view:share',
  'recycle:purge',
  'entry:unlock',
  'tenant:manage',
] as const
export type FunctionPermission = (typeof functionPermissions)[number]

/** Which rows of an entity a role sees (docs/rules/security.md#permissions). */
export const rowScopes = ['all', 'own', 'org', 'org_tree', 'expression'] as const
export type RowScope = (typeof rowScopes)[number]

/** Flags of a field that a role can reduce: to 0, and `isAdd` and `isEdit` also to 2. */
export const narrowedFlags = [
  'isList',
  'isQuery',
  'isDetail',
  'isExport',
  'isAdd',
  'isEdit',
] as const
export type NarrowedFlag = (typeof narrowedFlags)[number]
export type FieldNarrowing = Readonly<Partial<Record<NarrowedFlag, 0 | 2>>>

/** A role's restrictions on one entity. Without a rule, every row and every field as defined. */
export interface RoleEntityRule {
  readonly tag: string
  readonly scope: RowScope
  /** Only for the scope `expression`. */
  readonly expression: string | null
  /** By attrName. */
  readonly overrides: Readonly<Record<string, FieldNarrowing>>
}

export interface GrantableField {
  readonly attrName: string
  readonly label: string
  /** The flags of the definition, which a role can reduce. */
  readonly flags: Readonly<Record<NarrowedFlag, 0 | 1 | 2>>
  /** The entity of the one row that the field points to, into which row rules may step. */
  readonly relation?: string | undefined
}
export interface GrantableEntity {
  readonly tag: string
  readonly name: string
  /** Scopes that the entity's table supports. */
  readonly scopes: readonly RowScope[]
  readonly fields: readonly GrantableField[]
}
/** Entities grouped as in the menu; `name` is null for those outside the menu. */
export interface GrantableGroup {
  readonly name: string | null
  readonly entities: readonly GrantableEntity[]
}

/** Permissions of a role, and all that can be granted. */
export interface RolePermissions {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly version: number
  /** The administrator's role: holds every permission and cannot be changed. */
  readonly fixed: boolean
  readonly codes: readonly string[]
  readonly rules: readonly RoleEntityRule[]
  readonly groups: readonly GrantableGroup[]
  /** All function permissions. */
  readonly functions: readonly string[]
  /**
   * The caller's own permissions, which limit what the caller can grant; `ALL_PERMISSION` is
   * everything.
   */
  readonly holds: readonly string[]
}

/** Changes that a save would make. */
export interface PermissionChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly rules: readonly string[]
}

/** Whether two rules are equivalent; a missing rule is equivalent to one that restricts nothing. */
export function isSameRule(a: RoleEntityRule | undefined, b: RoleEntityRule | undefined): boolean {
  return formatEntityRule(a) === formatEntityRule(b)
}

function formatEntityRule(rule: RoleEntityRule | undefined): string {
  return rule === undefined || isPlain(rule)
    ? ''
    : JSON.stringify([
        rule.scope,
        rule.scope === 'expression' ? rule.expression : null,
        sortedKeys(rule.overrides),
      ])
}

function isPlain({ scope, overrides }: RoleEntityRule): boolean {
  return scope === 'all' && Object.keys(overrides).length === 0
}

function sortedKeys(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sortedKeys(inner)]),
      )
    : value
}

type Granted = Pick<RolePermissions, 'codes' | 'rules'>

/** Codes added and removed, and tags whose rule differs, each sorted. */
export function permissionChange(before: Granted, after: Granted): PermissionChange {
  const [had, has] = [new Set(before.codes), new Set(after.codes)]
  const ruleOf = ({ rules }: Granted, tag: string) => rules.find((rule) => rule.tag === tag)
  const tags = [...new Set([...before.rules, ...after.rules].map(({ tag }) => tag))]
  return {
    added: [...has].filter((code) => !had.has(code)).toSorted(),
    removed: [...had].filter((code) => !has.has(code)).toSorted(),
    rules: tags.filter((tag) => !isSameRule(ruleOf(before, tag), ruleOf(after, tag))).toSorted(),
  }
}

/**
 * Adds or removes `code`. Every other action needs `view`: the first action adds it, and removing
 * it removes all.
 */
export function withCode(codes: readonly string[], code: string, on: boolean): readonly string[] {
  const [, tag, action] = /^entity:([^:]+):(view|add|update|delete|export)$/.exec(code) ?? []
  const next = new Set(codes)
  if (on) next.add(code)
  else next.delete(code)
  if (tag !== undefined && on) next.add(`entity:${tag}:view`)
  if (tag !== undefined && !on && action === 'view')
    for (const each of codes) if (each.startsWith(`entity:${tag}:`)) next.delete(each)
  return codes.length === next.size && codes.every((each) => next.has(each)) ? codes : [...next]
}

/** Whether the holder of `holds` can grant `code`. */
export function mayGrant(holds: readonly string[], code: string): boolean {
  return holds.includes(allPermission) || holds.includes(code)
}
