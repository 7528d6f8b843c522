// What a subject may do with an entity: which rows, and which fields of each row. One place; page, get, put, delete, dict, export,
// attachments and count all ask here (docs/rules/security.md#permissions).
import { allPermission, defaultTenant, type EntityAction, entityPermission, may } from '@jiaowu/api'
import { type RawBuilder, sql } from 'kysely'
import type { Context, Subject } from '../context.ts'
import { castOf, familyOf } from '../entities/fields/column.ts'
import { forbidden, notFound } from '../platform/refusal.ts'
import type { LoadedEntity, LoadedField, SystemColumn } from '../entities/definition/loaded.ts'
import {
  allOf,
  always,
  anyOf,
  columnRef,
  type Condition,
  never,
  typed,
} from '../entities/definition/names.ts'
import { rowCondition } from './row-expression.ts'
import { type FieldFlag, type FlagOverrides, orgTree, readRules, type RoleRule } from './rules.ts'

/** One role's word on an entity: of these rows, fields with flags no wider than the definition's. */
export interface Grant {
  readonly overrides: Readonly<Record<string, FlagOverrides>>
  /** Null: every row of the tenant. */
  readonly scope: Condition | null
}
const everything: Grant = { overrides: {}, scope: null }

export interface EntityAccess {
  readonly entity: LoadedEntity
  readonly tenant: string
  /** Roles are added up per field AND row, not field and row apart (Directus 2025-27089). Never empty. */
  readonly grants: readonly Grant[]
  /** Tenant, soft delete and row scope: part of every statement on the table. */
  readonly rows: Condition
}

/** What `user` means in a row rule. */
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

/** Rows of this tenant, deleted ones too. */
export function tenantRows(entity: LoadedEntity, tenant: string): Condition {
  return entity.has('tenant_id')
    ? sql`${columnRef('tenant_id')} = ${systemValue(entity, 'tenant_id', tenant)}`
    : always
}

/** A value for one of the system columns, whatever type the table gave it. */
function systemValue(
  entity: LoadedEntity,
  column: SystemColumn,
  value: string,
): RawBuilder<unknown> {
  const family = familyOf(entity.table.columns.get(column) ?? entity.id)
  return typed(value, family === undefined ? 'text' : castOf[family])
}

/** Rows of this tenant that are not deleted: below every other rule. */
export function baseRows(entity: LoadedEntity, tenant: string): Condition {
  return allOf([
    tenantRows(entity, tenant),
    ...(entity.has('deleted_at') ? [sql`${columnRef('deleted_at')} is null`] : []),
  ])
}

/** All rows of a tenant, those in the bin too: for the server's own housekeeping. */
export function wholeAccess(entity: LoadedEntity, tenant: string): EntityAccess {
  return {
    entity,
    tenant,
    grants: [everything],
    rows: tenantRows(entity, tenant),
  }
}

/** Nobody writes here through an entity, whatever the roles say: the log is appended to by the server alone (docs/rules/security.md#l1), an order's state is money (docs/rules/security.md#payments), and what was issued was issued. */
const readOnlyTables: readonly string[] = ['sys.audit_log', 'biz.print_order', 'sys.document']
const nameOf = ({ table }: LoadedEntity): string => `${table.schema}.${table.name}`
export const isReadOnly = (entity: LoadedEntity): boolean => readOnlyTables.includes(nameOf(entity))
/** Rows that come and go with the product or the school itself; people only write about them. */
const keptTables: readonly string[] = ['sys.api', 'sys.tenant']

/** What nobody does with the rows, whatever the roles say. */
export function refusedActions(entity: LoadedEntity): readonly EntityAction[] {
  return isReadOnly(entity)
    ? ['add', 'update', 'delete']
    : keptTables.includes(nameOf(entity))
      ? ['add', 'delete']
      : []
}

/** The audit trail needs its own permission beside that of its entity (docs/rules/security.md#permissions). */
const auditTable = 'sys.audit_log'

/**
 * What the caller may do with `entity` under `action`.
 * @throws Refusal 403 without the permission, 404 where the table is not this tenant's business
 */
export async function accessTo(
  context: Context,
  entity: LoadedEntity,
  action: EntityAction,
): Promise<EntityAccess> {
  const { subject } = context
  const permission = entityPermission(entity.tag, action)
  if (subject.kind !== 'staff' || !may(subject.permissions, permission)) throw forbidden()
  if (!mayRead(entity, subject)) throw forbidden()
  if (refusedActions(entity).includes(action)) throw forbidden()
  // A table without a tenant is the platform's own.
  if (!entity.has('tenant_id') && subject.tenant !== defaultTenant) throw notFound()
  const grants = await grantsFor(context, entity, permission)
  if (grants.length === 0) throw forbidden()
  return accessWith(entity, subject.tenant, grants)
}

function mayRead({ table }: LoadedEntity, { permissions }: Subject): boolean {
  return `${table.schema}.${table.name}` !== auditTable || may(permissions, 'audit:view')
}

/** The rules of the subject's roles that hold `permission` (any role, when null). */
async function grantsFor(
  context: Context,
  entity: LoadedEntity,
  permission: string | null,
): Promise<Grant[]> {
  const { subject } = context
  if (may(subject.permissions, allPermission)) return [everything]
  const rules = await readRules(context.database.kysely, subject, entity.tag, permission)
  return rules.map((rule) => ({ overrides: rule.overrides, scope: scopeOf(rule, entity, context) }))
}

function scopeOf(rule: RoleRule, entity: LoadedEntity, context: Context): Condition | null {
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
      return expressionScope(rule, entity, context)
  }
}

function expressionScope(
  rule: RoleRule,
  entity: LoadedEntity,
  { subject, log }: Context,
): Condition {
  try {
    return rule.expression === null
      ? never
      : rowCondition(rule.expression, entity, ruleUser(subject))
  } catch (error) {
    log.error(
      { err: error, tag: entity.tag, role: rule.roleId },
      'a row rule has no SQL form; it shows no row',
    )
    return never
  }
}

function accessWith(entity: LoadedEntity, tenant: string, grants: readonly Grant[]): EntityAccess {
  const scopes = grants.map(({ scope }) => scope)
  const scope = scopes.includes(null) ? [] : [anyOf(scopes.filter((each) => each !== null))]
  return { entity, tenant, grants, rows: allOf([baseRows(entity, tenant), ...scope]) }
}

/** The rows another entity's field may point at: the right to the asking entity is enough, the target's row rules still hold. */
export async function lookupAccess(context: Context, target: LoadedEntity): Promise<EntityAccess> {
  if (!mayRead(target, context.subject))
    return accessWith(target, context.subject.tenant, [{ overrides: {}, scope: never }])
  const grants = await grantsFor(context, target, null)
  return accessWith(target, context.subject.tenant, grants.length === 0 ? [everything] : grants)
}

/**
 * What a field is used for (docs/rules/security.md#permissions): a list's column or sort, a filter, a row by itself, a sheet, a value that is written.
 * `any` is whether it exists for the caller at all.
 */
export type FieldUse = 'list' | 'query' | 'detail' | 'export' | 'add' | 'edit' | 'any'

/** Whether some role lets the field be used so; for which rows is `fieldRows`. */
export function isAllowed(
  access: Pick<EntityAccess, 'grants'>,
  field: LoadedField,
  use: FieldUse,
): boolean {
  return access.grants.some((grant) => allows(grant, field, use))
}

function allows(grant: Grant, field: LoadedField, use: FieldUse): boolean {
  const flag = (name: FieldFlag) => flagIn(grant, field, name)
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

/** A role narrows the definition's flag and never widens it: 0 beats 2 beats 1. */
function flagIn(grant: Grant, { definition }: LoadedField, flag: FieldFlag): number {
  const [own, override] = [definition[flag], grant.overrides[definition.attrName]?.[flag]]
  if (own === 0 || override === 0) return 0
  return own === 2 || override === 2 ? 2 : 1
}

/** The rows for which the field may be used so; null for all of the caller's rows. */
export function fieldRows(
  { grants }: EntityAccess,
  field: LoadedField,
  use: FieldUse,
): Condition | null {
  const granting = grants.filter((grant) => allows(grant, field, use))
  if (granting.length === grants.length || granting.some(({ scope }) => scope === null)) return null
  return anyOf(granting.map(({ scope }) => scope ?? always))
}

/** The widest flag some role leaves of an add or edit mode: what a form shows. */
export function modeOf(
  { grants }: EntityAccess,
  field: LoadedField,
  flag: 'isAdd' | 'isEdit',
): 0 | 1 | 2 {
  const flags = grants.map((grant) => flagIn(grant, field, flag))
  return flags.includes(1) ? 1 : flags.includes(2) ? 2 : 0
}
