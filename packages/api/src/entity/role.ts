import { allPermission } from '../limits.ts'

/** What may be granted besides the actions on entities (docs/rules/security.md#permissions). */
export const functionPermissions = [
  'entity:design',
  'entity:sql',
  'pii:reveal',
  'print:preview',
  'print:download',
  'print:revoke',
  'pay:refund',
  'audit:view',
  'view:share',
  'recycle:purge',
  'tenant:manage',
] as const
export type FunctionPermission = (typeof functionPermissions)[number]

/** Rows of an entity that a role sees (docs/rules/security.md#permissions). */
export const rowScopes = ['all', 'own', 'org', 'org_tree', 'expression'] as const
export type RowScope = (typeof rowScopes)[number]

/** Flags of a field that a role may narrow: to 0, and `isAdd` and `isEdit` to 2 as well. */
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

/** What a role says about one entity, beside its permissions. An entity without a rule: every row, every field as defined. */
export interface RoleEntityRule {
  readonly tag: string
  readonly scope: RowScope
  /** Of the scope `expression` only. */
  readonly expression: string | null
  /** By attrName. */
  readonly overrides: Readonly<Record<string, FieldNarrowing>>
}

export interface GrantableField {
  readonly attrName: string
  readonly label: string
  /** As the definition has them: what may be narrowed. */
  readonly flags: Readonly<Record<NarrowedFlag, 0 | 1 | 2>>
}
export interface GrantableEntity {
  readonly tag: string
  readonly name: string
  /** Scopes that the entity's table can carry. */
  readonly scopes: readonly RowScope[]
  readonly fields: readonly GrantableField[]
}
/** Entities as the menu groups them; `name` null: what the menu does not lead to. */
export interface GrantableGroup {
  readonly name: string | null
  readonly entities: readonly GrantableEntity[]
}

/** A role with all it permits, and all there is to permit. */
export interface RolePermissions {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly version: number
  /** The administrator's role permits everything by itself and cannot be changed. */
  readonly fixed: boolean
  readonly codes: readonly string[]
  readonly rules: readonly RoleEntityRule[]
  readonly groups: readonly GrantableGroup[]
  /** Function permissions that exist. */
  readonly functions: readonly string[]
  /** What the caller holds and so may grant; `ALL_PERMISSION` is everything. */
  readonly holds: readonly string[]
}

/** What a save would change. */
export interface PermissionChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly rules: readonly string[]
}

/** Whether two rules say the same; no rule at all says the same as one that narrows nothing. */
export function isSameRule(a: RoleEntityRule | undefined, b: RoleEntityRule | undefined): boolean {
  return textOf(a) === textOf(b)
}

function textOf(rule: RoleEntityRule | undefined): string {
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

/** Codes that come and go, and tags whose rule is another, each in order. */
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

/** Codes with `code` given or taken: nothing works on an entity that cannot be seen, so `view` comes with the first action and takes all with it. */
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

/** Whether the holder of `holds` may grant `code`. */
export function mayGrant(holds: readonly string[], code: string): boolean {
  return holds.includes(allPermission) || holds.includes(code)
}
