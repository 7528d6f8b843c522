// Rights of a subject on an entity: which rows, and which fields of each row. All calls on entity
// data and attachments use this file (docs/rules/security.md#permissions).
import { allPermission, defaultTenant } from '@jiaowu/api/limits'
import { type EntityAction, entityPermission, may } from '@jiaowu/api/entity/permission'
import type { FieldNarrowing, NarrowedFlag } from '@jiaowu/api/entity/role'
import { sql } from 'kysely'
import type { Context } from '../model/context.ts'
import type { StoredRule, Subject } from '../platform/context.ts'
import { fieldKey, tableKey } from '../model/definition/column-key.ts'
import { forbidden, notFound } from '../platform/refusal.ts'
import type { LoadedEntity, LoadedField } from '../model/definition/loaded.ts'
import {
  allOf,
  always,
  anyOf,
  columnRef,
  type Condition,
  never,
  rowAlias,
  tableName,
} from '../model/definition/names.ts'
import { rowCondition } from './rules/row-expression.ts'
import { ruleColumn } from './rules/rule-columns.ts'
import { ruleRelations } from './rules/related-rows.ts'
import { orgTree, rulesOn, type RoleRule, type RuleBehind, tablesBehind } from './rules/rules.ts'
import type { Keyed } from '../model/definition/row-key.ts'
import { baseRows, systemValue, tenantRows } from './school-rows.ts'

export { baseRows, tenantRows } from './school-rows.ts'

/** One role's permission on an entity: these rows, and fields with flags no wider than the definition's. */
export interface Grant {
  /** By column, or `custom:attrName`. */
  readonly overrides: Readonly<Record<string, FieldNarrowing>>
  /** Null for every row of the tenant. */
  readonly scope: Condition | null
  /** Tables besides the entity's that decide on the rows, as `schema.table`. */
  readonly reads?: readonly string[]
}
/** A grant without rules. */
export const everything: Grant = { overrides: {}, scope: null }

export interface EntityAccess {
  readonly entity: LoadedEntity
  readonly tenant: string
  /** Never empty. Roles are combined per pair of field and row, not separately (Directus 2025-27089). */
  readonly grants: readonly Grant[]
  /** Tenant, soft delete and row scope. Part of every statement on the table. */
  readonly rows: Condition
  /** Rows of other entities on which a query has conditions, by the column of the condition. */
  readonly related?: ReadonlyMap<string, RelatedRows>
}

/** Rows of another entity that the caller may view, and whose field names a row. */
export interface RelatedRows {
  readonly access: EntityAccess
  readonly field: LoadedField
  /** The key that the field stores. */
  readonly keyed: Keyed
}

/** The value of `user` in a row rule. */
export function ruleUser({
  userId,
  account,
  name,
  roles,
  org,
  tenant,
}: Subject): Readonly<Record<string, unknown>> {
  return {
    id: userId,
    account,
    name,
    roles,
    org,
    orgId: org?.id ?? null,
    tenant,
  }
}

/** All rows of a tenant, including the recycle bin; for housekeeping. */
export function wholeAccess(entity: LoadedEntity, tenant: string): EntityAccess {
  return {
    entity,
    tenant,
    grants: [everything],
    rows: tenantRows(entity, tenant),
  }
}

/**
 * Tables that no role may write through an entity, besides views and tables without a key: the audit
 * log (docs/rules/security.md#l1), orders (docs/rules/security.md#payments), requests to register and issued documents.
 */
const readOnlyTables: readonly string[] = [
  'sys.audit_log',
  'biz.print_order',
  'biz.registration',
  'sys.document',
]
export const isReadOnly = (entity: LoadedEntity): boolean =>
  readOnlyTables.includes(tableKey(entity)) ||
  (entity.table.kind ?? 'table') !== 'table' ||
  entity.key.length === 0
/** Tables whose rows only the product adds and deletes; users may change their other columns. */
const fixedRowTables: readonly string[] = ['sys.api', 'sys.tenant']

/** The actions that no role may perform on the entity. */
export function refusedActions(entity: LoadedEntity): readonly EntityAction[] {
  return isReadOnly(entity)
    ? ['add', 'update', 'delete']
    : fixedRowTables.includes(tableKey(entity))
      ? ['add', 'delete']
      : (entity.table.denied ?? [])
}

/** Reading it needs an additional permission (docs/rules/security.md#permissions). */
const auditTable = 'sys.audit_log'

/**
 * The caller's access to `entity` for `action`.
 * @throws Refusal 403 without the permission, 404 for a platform table in another tenant than the first
 */
export async function accessTo(
  context: Context,
  entity: LoadedEntity,
  action: EntityAction,
): Promise<EntityAccess> {
  const { subject } = context
  const permission = entityPermission(entity.tag, action)
  const isLetIn = subject.kind === 'staff' || subject.isApplicant === true
  if (!isLetIn || !may(subject.permissions, permission)) throw forbidden()
  if (!mayRead(entity, subject)) throw forbidden()
  if (refusedActions(entity).includes(action)) throw forbidden()
  if (entity.isOfPlatform && subject.tenant !== defaultTenant) throw notFound()
  const known = accesses.get(subject)?.get(entity)?.get(action)
  if (known !== undefined) return known
  const grants = grantsFor(context, entity, permission)
  if (grants.length === 0) throw forbidden()
  const access = accessWith(entity, subject.tenant, grants)
  // A subject and an entity never change: others are read in their place.
  const ofSubject = accesses.get(subject) ?? new WeakMap<LoadedEntity, Map<string, EntityAccess>>()
  const ofEntity = ofSubject.get(entity) ?? new Map<string, EntityAccess>()
  accesses.set(subject, ofSubject.set(entity, ofEntity.set(action, access)))
  return access
}

/** By subject, entity and action, for subjects that are remembered between calls. */
const accesses = new WeakMap<Subject, WeakMap<LoadedEntity, Map<string, EntityAccess>>>()
/** Accesses of subjects that may do everything, by entity and school. */
const wholeAccesses = new WeakMap<LoadedEntity, Map<string, EntityAccess>>()

/** The audit log needs a permission besides `view`, a view over it too. */
export function mayRead(entity: LoadedEntity, { permissions }: Subject): boolean {
  const isLog = tableKey(entity) === auditTable || tablesBehind(entity.table).includes(auditTable)
  return !isLog || may(permissions, 'audit:view')
}

/** The rules of the subject's roles that hold `permission` (any role, when null). */
export function grantsFor(
  context: Context,
  entity: LoadedEntity,
  permission: string | null,
): Grant[] {
  const { subject } = context
  if (may(subject.permissions, allPermission)) return [everything]
  return rulesOn(subject, entity.table, permission).map((rule) => buildGrant(rule, entity, context))
}

export function buildGrant(rule: RoleRule, entity: LoadedEntity, context: Context): Grant {
  const reads = new Set<string>()
  const onRead = (table: string) => reads.add(table)
  const scopes = [
    compileScope(rule, rule.roleId, entity, context, onRead),
    ...rule.behind.map((behind) => scopeBehind(behind, rule.roleId, context, onRead)),
  ].filter((scope) => scope !== null)
  return {
    overrides: rule.overrides,
    scope: scopes.length === 0 ? null : allOf(scopes),
    reads: [...reads],
  }
}

/**
 * The rows of a view behind which the role sees the row of a table, found by its key. A view that does not show the key
 * shows such a role nothing (docs/rules/security.md#views).
 */
function scopeBehind(
  { source, rule }: RuleBehind,
  role: string,
  context: Context,
  onRead: OnRead,
): Condition | null {
  const { registry, subject } = context
  const [base] = registry.ofTable(subject.tenant, source.table)
  onRead(source.table)
  const key = base?.table.keySets?.find((names) => names.every((name) => source.columns.has(name)))
  if (base === undefined || key === undefined) return never
  const scope = compileScope(rule, role, base, context, onRead)
  if (scope === null) return null
  const shown = key.map((name) => columnRef(source.columns.get(name) ?? name))
  const from = sql`${tableName(base.table.schema, base.table.name)} as ${sql.id(rowAlias)}`
  const keys = sql.join(key.map((name) => columnRef(name)))
  const isOpen = allOf([tenantRows(base, subject.tenant), scope])
  return sql`(${sql.join(
    shown.map((ref) => sql`${ref} is null`),
    sql` or `,
  )} or (${sql.join(shown)}) in (select ${keys} from ${from} where ${isOpen}))`
}

/** The tables whose writes may change which rows a caller sees. */
export function listTables({ entity, grants }: Pick<EntityAccess, 'entity' | 'grants'>): string[] {
  return [
    ...new Set([
      tableKey(entity),
      ...tablesBehind(entity.table),
      ...grants.flatMap(({ reads }) => reads ?? []),
    ]),
  ]
}

type OnRead = (table: string) => void

function compileScope(
  rule: StoredRule,
  role: string,
  entity: LoadedEntity,
  context: Context,
  onRead: OnRead,
): Condition | null {
  const { org, userId, tenant } = context.subject
  switch (rule.scope) {
    case 'all':
      return null
    case 'own':
      return entity.has('create_user')
        ? sql`${columnRef('create_user')} = ${systemValue(entity, 'create_user', userId)}`
        : never
    case 'org':
      return entity.has('org_id') && org !== null
        ? sql`${columnRef('org_id')} = ${systemValue(entity, 'org_id', org.id)}`
        : never
    case 'org_tree':
      return entity.has('org_id') && org !== null
        ? sql`${columnRef('org_id')} in (${orgTree(tenant, org.id)})`
        : never
    case 'expression':
      return expressionScope(rule, role, entity, context, onRead)
  }
}

function expressionScope(
  rule: StoredRule,
  role: string,
  entity: LoadedEntity,
  context: Context,
  onRead: OnRead,
): Condition {
  const { subject, log } = context
  try {
    return rule.expression === null
      ? never
      : rowCondition(
          rule.expression,
          ruleColumn(entity),
          ruleUser(subject),
          ruleRelations(context, onRead),
        )
  } catch (error) {
    log.error(
      { err: error, tag: entity.tag, role },
      'a row rule has no SQL form, so it selects no row',
    )
    return never
  }
}

export function accessWith(
  entity: LoadedEntity,
  tenant: string,
  grants: readonly Grant[],
): EntityAccess {
  if (grants.length !== 1 || grants[0] !== everything) return newAccess(entity, tenant, grants)
  const known = wholeAccesses.get(entity) ?? new Map<string, EntityAccess>()
  const access = known.get(tenant) ?? newAccess(entity, tenant, grants)
  wholeAccesses.set(entity, known.set(tenant, access))
  return access
}

function newAccess(entity: LoadedEntity, tenant: string, grants: readonly Grant[]): EntityAccess {
  const scopes = grants.map(({ scope }) => scope)
  const scope = scopes.includes(null) ? [] : [anyOf(scopes.filter((each) => each !== null))]
  return { entity, tenant, grants, rows: allOf([baseRows(entity, tenant), ...scope]) }
}

/**
 * Uses of a field (docs/rules/security.md#permissions): column or sort of a list, filter, detail of a
 * row, export, written value. `any` is whether it exists for the caller.
 */
export type FieldUse = 'list' | 'query' | 'detail' | 'export' | 'add' | 'edit' | 'any'

/** Whether some role allows this use of the field; `fieldRows` says for which rows. */
export function isAllowed(
  access: Pick<EntityAccess, 'grants'>,
  field: LoadedField,
  use: FieldUse,
): boolean {
  return access.grants.some((grant) => allows(grant, field, use))
}

function allows(grant: Grant, field: LoadedField, use: FieldUse): boolean {
  const flag = (name: NarrowedFlag) => flagIn(grant, field, name)
  const isReadable = flag('isList') === 1 || flag('isDetail') === 1 || flag('isEdit') > 0
  switch (use) {
    case 'list':
      return flag('isList') === 1
    case 'detail':
      return isReadable
    case 'query':
      return flag('isQuery') === 1 && (isReadable || flag('isExport') === 1)
    case 'export':
      return flag('isExport') === 1
    case 'add':
      return flag('isAdd') === 1
    case 'edit':
      return flag('isEdit') === 1
    case 'any':
      return isReadable || flag('isExport') === 1 || flag('isAdd') > 0 || flag('isQuery') === 1
  }
}

/** A role can narrow the definition's flag but not widen it: 0 is narrower than 2, 2 than 1. */
function flagIn(grant: Grant, field: LoadedField, flag: NarrowedFlag): number {
  const [own, override] = [field.definition[flag], grant.overrides[fieldKey(field)]?.[flag]]
  if (own === 0 || override === 0) return 0
  return own === 2 || override === 2 ? 2 : 1
}

/** The rows for which this use of the field is allowed; null for all of the caller's rows. */
export function fieldRows(
  { grants }: EntityAccess,
  field: LoadedField,
  use: FieldUse,
): Condition | null {
  const granting = grants.filter((grant) => allows(grant, field, use))
  if (granting.length === grants.length || granting.some(({ scope }) => scope === null)) return null
  return anyOf(granting.map(({ scope }) => scope ?? always))
}

/** The widest flag of all roles for adding or editing, which a form shows. */
export function findWidestFlag(
  { grants }: EntityAccess,
  field: LoadedField,
  flag: 'isAdd' | 'isEdit',
): 0 | 1 | 2 {
  const flags = grants.map((grant) => flagIn(grant, field, flag))
  return flags.includes(1) ? 1 : flags.includes(2) ? 2 : 0
}
