// Reads and saves the permissions of a role as a whole (docs/rules/security.md#permissions).
import { adminRole, allPermission } from '@jiaowu/api/limits'
import { entityActions, entityPermission } from '@jiaowu/api/entity/permission'
import {
  functionPermissions,
  isSameRule,
  mayGrant,
  type PermissionChange,
  permissionChange,
  type RoleEntityRule,
  type RolePermissions,
} from '@jiaowu/api/entity/role'
import type { Kysely } from 'kysely'
import type { Context } from '../../model/context.ts'
import { accessTo } from '../../access/access.ts'
import { assertDutiesApart, codesOfOthers, hasSplitDuties } from '../../access/duties.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { loadRow } from '../read/row.ts'
import { type Fault, Invalid, notFound, Refusal, stale } from '../../platform/refusal.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { transact } from '../../platform/database/transact.ts'
import { grantableGroups, isKnownCode, tagOfCode } from '../../access/grantable.ts'
import { tableKey } from '../../model/definition/column-key.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { ruleOfEntity, ruleOfTable, type TableRule } from '../../access/rules/rule-columns.ts'
import { ruleTargets, type TargetOf } from '../../access/rules/rule-targets.ts'
import { tablesBehind } from '../../access/rules/rules.ts'
import { isWithinOwn, plainRule, readableBy, ruleFaults } from '../../access/rules/rule-check.ts'

type Db = Kysely<Tables>
interface Stored {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly version: number
  readonly codes: readonly string[]
  readonly rules: readonly RoleEntityRule[]
  /** By table, as stored. */
  readonly tableRules: ReadonlyMap<string, TableRule>
}
export interface PermissionsBody {
  readonly version: number
  readonly codes: readonly string[]
  readonly rules: readonly RoleEntityRule[]
}

export async function loadPermissions(context: Context, id: string): Promise<RolePermissions> {
  await assertAccessible(context, id, 'view')
  return await complete(context, await readStored(context.database.kysely, context, id))
}

/** @throws Refusal 403, 404 unless the caller may do `action` with the role's row */
async function assertAccessible(
  context: Context,
  id: string,
  action: 'view' | 'update',
): Promise<void> {
  await loadRow(
    context,
    await accessTo(context, await context.registry.get(context.subject.tenant, 'SYS_ROLE'), action),
    id,
  )
}

async function complete(context: Context, stored: Stored): Promise<RolePermissions> {
  const { tableRules: _tableRules, ...shown } = stored
  return {
    ...shown,
    fixed: stored.code === adminRole,
    groups: await grantableGroups(context),
    functions: [...functionPermissions],
    holds: await mayHandOut(context),
  }
}

/**
 * Lists the rights that the caller may hand out: their own, or, of one who hands out rights by
 * office, all that no other administrator holds.
 */
async function mayHandOut(context: Context): Promise<readonly string[]> {
  const { permissions, tenant } = context.subject
  const others = await codesOfOthers(databaseOf(context), context)
  if (others === null)
    return permissions.has(allPermission) ? [allPermission] : [...permissions].toSorted()
  const codes = (await context.registry.all(tenant)).flatMap(({ tag }) =>
    entityActions.map((action) => entityPermission(tag, action)),
  )
  return [...codes, ...functionPermissions].filter((code) => !others.includes(code)).toSorted()
}

async function readStored(db: Db, context: Context, id: string): Promise<Stored> {
  const { subject, locale } = context
  const role = await db
    .selectFrom('sys.role')
    .select(['id', 'code', 'name', 'name_en', 'version'])
    .where('id', '=', id)
    .where('tenant_id', '=', subject.tenant)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (role === undefined) throw notFound()
  const codes = await db
    .selectFrom('sys.role_permission')
    .select('code')
    .where('tenant_id', '=', subject.tenant)
    .where('role_id', '=', id)
    .orderBy('code')
    .execute()
  const rules = await db
    .selectFrom('sys.role_table_rule')
    .selectAll()
    .where('tenant_id', '=', subject.tenant)
    .where('role_id', '=', id)
    .execute()
  const tableRules = new Map(
    rules.map((rule): [string, TableRule] => [
      rule.table_name,
      {
        table: rule.table_name,
        scope: rule.row_scope,
        expression: rule.scope_expression,
        overrides: rule.field_overrides,
      },
    ]),
  )
  return {
    id: role.id,
    code: role.code,
    version: role.version,
    name: locale === 'en' ? (role.name_en ?? role.name) : role.name,
    codes: codes.map(({ code }) => code),
    rules: await rulesOfEntities(context, tableRules),
    tableRules,
  }
}

/** The rules as the role page names them: one per entity on a table with a rule, sorted by tag. */
async function rulesOfEntities(
  context: Context,
  tableRules: ReadonlyMap<string, TableRule>,
): Promise<RoleEntityRule[]> {
  const rules: RoleEntityRule[] = []
  for (const entity of await context.registry.all(context.subject.tenant)) {
    const rule = tableRules.get(tableKey(entity))
    if (rule !== undefined)
      rules.push(ruleOfEntity(entity, rule, await ruleTargets(context, entity)))
  }
  return rules
    .filter((rule) => !isSameRule(rule, undefined))
    .toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
}

/**
 * @throws Refusal 403 when a grant exceeds the caller's own, 409 for the administrator's role,
 * 409/40900 when the role was saved meanwhile; Invalid
 */
export async function savePermissions(
  context: Context,
  id: string,
  body: PermissionsBody,
): Promise<RolePermissions> {
  const db = context.database.kysely
  await assertAccessible(context, id, 'update')
  const before = await readStored(db, context, id)
  if (before.version !== body.version) throw stale(await complete(context, before))
  const {
    codes,
    tables,
    change: { added, removed, rules: changed },
  } = await checkChange(context, before, body)
  if (added.length + removed.length + changed.length === 0) return await complete(context, before)
  const isFirst = await transact(db, async (trx) => {
    const row = await trx
      .selectFrom('sys.role')
      .select('version')
      .where('tenant_id', '=', context.subject.tenant)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (row?.version !== body.version) return false
    await writePermissions(trx, context, id, codes, tables)
    await assertDutiesApart(trx as unknown as AnyDatabase, context, context.subject.tenant)
    context.audit(
      {
        action: 'role.permissions',
        object: 'SYS_ROLE',
        objectId: id,
        result: 'ok',
        detail: { added, removed, rules: changed },
      },
      trx,
    )
    return true
  })
  if (!isFirst) throw stale(await complete(context, await readStored(db, context, id)))
  return await complete(context, await readStored(db, context, id))
}

/** Checks the change before the transaction, which then requires the same version. */
async function checkChange(
  context: Context,
  before: Stored,
  body: PermissionsBody,
): Promise<{
  readonly codes: readonly string[]
  /** The rules of the tables that the change concerns. */
  readonly tables: readonly TableRule[]
  readonly change: PermissionChange
}> {
  if (before.code === adminRole) throw new Refusal(409, { key: 'role.fixed' })
  const { roleIds, tenant } = context.subject
  if (roleIds.includes(before.id) && (await hasSplitDuties(databaseOf(context), tenant)))
    throw new Refusal(403, { key: 'role.notOwnRole' })
  const rules = await checkRules(context, before, body)
  const codes = [...new Set(body.codes)]
  const change = permissionChange(before, { codes, rules })
  const tables = await changedTables(context, before, rules, change)
  await assertMayChange(context, before, codes, tables, change)
  return { codes, tables, change }
}

/** The rules of the body without ineffective ones. Unchanged rules are kept even if their entity is gone. */
async function checkRules(
  context: Context,
  before: Stored,
  body: PermissionsBody,
): Promise<RoleEntityRule[]> {
  const faults: Fault[] = []
  const rules: RoleEntityRule[] = []
  for (const rule of new Map(body.rules.map((each) => [each.tag, each])).values()) {
    const stored = before.rules.find(({ tag }) => tag === rule.tag)
    if (stored !== undefined && isSameRule(stored, rule)) {
      rules.push(stored)
      continue
    }
    const entity = await context.registry.find(context.subject.tenant, rule.tag)
    if (entity === undefined) {
      faults.push({
        path: `rules.${rule.tag}`,
        rule: 'unknownTag',
        message: { key: 'role.unknownTag', params: { tag: rule.tag } },
      })
      continue
    }
    faults.push(...(await ruleFaults(context, entity, rule, await readableBy(context, entity))))
    rules.push(plainRule(entity, rule))
  }
  if (faults.length > 0) throw new Invalid(faults)
  return rules.filter((rule) => !isSameRule(rule, undefined))
}

/** Users may grant or revoke only permissions, rows and fields that they hold. @throws Refusal 403, Invalid */
async function assertMayChange(
  context: Context,
  before: Stored,
  codes: readonly string[],
  tables: readonly TableRule[],
  { added, removed }: PermissionChange,
): Promise<void> {
  const entities = new Map(
    (await context.registry.all(context.subject.tenant)).map((entity) => [entity.tag, entity]),
  )
  const unknown = added.filter((code) => !isKnownCode(code, new Set(entities.keys())))
  if (unknown.length > 0)
    throw new Invalid(
      unknown.map((code) => ({
        path: 'codes',
        rule: 'unknownCode',
        message: { key: 'role.unknownCode', params: { code } },
      })),
    )
  const isOffice = (await codesOfOthers(databaseOf(context), context)) !== null
  const holds = await mayHandOut(context)
  const notHeld = [...added, ...removed].find((code) => !mayGrant(holds, code))
  if (notHeld !== undefined)
    throw new Refusal(403, { key: 'role.notHeld', params: { code: notHeld } })
  const changed = new Map(tables.map((rule) => [rule.table, rule]))
  // A rule concerns every entity on its table that the role may use.
  const granted = new Set(codes.flatMap((code) => tagOfCode(code) ?? []))
  const ruleOn = (table: string) => changed.get(table) ?? before.tableRules.get(table)
  const newlyGranted = new Set(added.flatMap((code) => tagOfCode(code) ?? []))
  for (const entity of entities.values()) {
    const { tag } = entity
    const isChanged = [tableKey(entity), ...tablesBehind(entity.table)].some((table) =>
      changed.has(table),
    )
    if (!newlyGranted.has(tag) && !(isChanged && granted.has(tag))) continue
    if (!isOffice && !isWithinOwn(context, entity, ruleOn))
      throw new Refusal(403, {
        key: 'role.tooWide',
        params: { name: entity.definition.name },
      })
  }
}

/**
 * The rules of the changed tables, as they will be stored.
 * @throws Invalid when two entities on one table are given different rules
 */
async function changedTables(
  context: Context,
  before: Stored,
  rules: readonly RoleEntityRule[],
  { rules: changed }: PermissionChange,
): Promise<readonly TableRule[]> {
  const tables = new Map<string, TableRule>()
  const wanted: { entity: LoadedEntity; rule: RoleEntityRule; targetOf: TargetOf }[] = []
  for (const entity of await context.registry.all(context.subject.tenant))
    if (changed.includes(entity.tag))
      wanted.push({
        entity,
        rule: ruleFor(rules, entity.tag),
        targetOf: await ruleTargets(context, entity),
      })
  for (const { entity, rule, targetOf } of wanted) {
    const table = tableKey(entity)
    const stored = tables.get(table) ?? before.tableRules.get(table)
    tables.set(table, ruleOfTable(entity, rule, stored, targetOf))
  }
  const faults = wanted.flatMap(({ entity, rule, targetOf }): Fault[] => {
    const stored = tables.get(tableKey(entity))
    return stored !== undefined && isSameRule(ruleOfEntity(entity, stored, targetOf), rule)
      ? []
      : [
          {
            path: `rules.${entity.tag}`,
            rule: 'sameTable',
            message: { key: 'role.sameTable', params: { name: entity.definition.name } },
          },
        ]
  })
  if (faults.length > 0) throw new Invalid(faults)
  return [...tables.values()]
}

function ruleFor(rules: readonly RoleEntityRule[], tag: string): RoleEntityRule {
  return (
    rules.find((rule) => rule.tag === tag) ?? {
      tag,
      scope: 'all',
      expression: null,
      overrides: {},
    }
  )
}

async function writePermissions(
  db: Db,
  { subject, now }: Context,
  id: string,
  codes: readonly string[],
  tables: readonly TableRule[],
): Promise<void> {
  const tenant_id = subject.tenant
  await db
    .deleteFrom('sys.role_permission')
    .where('tenant_id', '=', tenant_id)
    .where('role_id', '=', id)
    .execute()
  if (codes.length > 0)
    await db
      .insertInto('sys.role_permission')
      .values(codes.map((code) => ({ tenant_id, role_id: id, code })))
      .execute()
  for (const { table, scope, expression, overrides } of tables) {
    await db
      .deleteFrom('sys.role_table_rule')
      .where('tenant_id', '=', tenant_id)
      .where('role_id', '=', id)
      .where('table_name', '=', table)
      .execute()
    if (scope !== 'all' || Object.keys(overrides).length > 0)
      await db
        .insertInto('sys.role_table_rule')
        .values({
          tenant_id,
          role_id: id,
          table_name: table,
          row_scope: scope,
          scope_expression: expression,
          field_overrides: JSON.stringify(overrides),
        })
        .execute()
  }
  exactlyOne(
    await db
      .updateTable('sys.role')
      .set((eb) => ({
        version: eb('version', '+', 1),
        update_time: now(),
        update_user: subject.userId,
      }))
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', id)
      .executeTakeFirst(),
    'SYS_ROLE',
  )
}
