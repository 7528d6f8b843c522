// The row and field rules of a user's roles. The subject brings them: they are read with the session on
// every request, so that changes take effect at once.
import { adminRole, allPermission } from '@jiaowu/api/limits'
import { type RawBuilder, sql } from 'kysely'
import { type FieldNarrowing, narrowedFlags } from '@jiaowu/api/entity/role'
import type { StoredRule, Subject } from '../../platform/context.ts'
import type { CatalogTable } from '../../model/definition/catalog.ts'
import type { RowSource } from '../../model/definition/origins/origins.ts'

export interface RoleRule extends StoredRule {
  readonly roleId: string
  /** Whether the role has a rule on the table at all, or on one behind it. */
  readonly isStored: boolean
  /** Row rules that the role has on the tables behind a view (docs/rules/security.md#views). */
  readonly behind: readonly RuleBehind[]
}
export interface RuleBehind {
  readonly source: RowSource
  readonly rule: StoredRule
}

const noRule: StoredRule = { scope: 'all', expression: null, overrides: {} }

/**
 * The rule on `table` of each role that holds `permission` (null for any role). A role without a
 * rule sees everything. On a view it is narrowed by the rules of the tables behind it.
 */
export function rulesOn(
  { grants }: Pick<Subject, 'grants'>,
  table: CatalogTable,
  permission: string | null,
): RoleRule[] {
  return grants
    .filter(
      ({ code, permissions }) =>
        permission === null ||
        code === adminRole ||
        permissions.includes(permission) ||
        permissions.includes(allPermission),
    )
    .map(({ id, rules }) => {
      const ruleOn = (name: string) => (Object.hasOwn(rules, name) ? rules[name] : undefined)
      const stored = ruleOn(`${table.schema}.${table.name}`)
      return {
        ...behindView(table, stored ?? noRule, ruleOn),
        roleId: id,
        isStored: stored !== undefined || tablesBehind(table).some((name) => ruleOn(name)),
      }
    })
}

type RuleOn = (table: string) => StoredRule | undefined

/** The tables whose values or rows a view shows; of a table none. */
export function tablesBehind({ origins }: CatalogTable): readonly string[] {
  return origins === undefined
    ? []
    : [
        ...new Set([
          ...origins.sources.map(({ table }) => table),
          ...[...origins.columns.values()].flatMap(({ bases }) => bases.map(({ table }) => table)),
        ]),
      ]
}

/** The rule of a role on a view, with those that it inherits. */
export function behindView(
  table: CatalogTable,
  own: StoredRule,
  ruleOn: RuleOn,
): StoredRule & Pick<RoleRule, 'behind'> {
  const overrides = { ...own.overrides }
  for (const [name, { bases }] of table.origins?.columns ?? [])
    for (const base of bases) {
      const inherited = ruleOn(base.table)?.overrides[base.column]
      if (inherited !== undefined) overrides[name] = narrower(overrides[name] ?? {}, inherited)
    }
  return {
    ...own,
    overrides,
    behind: (table.origins?.sources ?? []).flatMap((source) => {
      const rule = ruleOn(source.table)
      return rule === undefined || rule.scope === 'all' ? [] : [{ source, rule }]
    }),
  }
}

/** 0 is narrower than 2, and 2 than no narrowing. */
function narrower(a: FieldNarrowing, b: FieldNarrowing): FieldNarrowing {
  return Object.fromEntries(
    narrowedFlags.flatMap((flag) => {
      const values = [a[flag], b[flag]].filter((each) => each !== undefined)
      return values.length === 0 ? [] : [[flag, values.includes(0) ? 0 : 2] as const]
    }),
  )
}

/** Ids of an organisation and its descendants. */
export function orgTree(tenant: string, orgId: string): RawBuilder<unknown> {
  return sql`
  with recursive below as (
    select id from sys.org where tenant_id = ${tenant}::int8 and id = ${orgId}::int8
    union select o.id from sys.org o join below on o.pid = below.id where o.tenant_id = ${tenant}::int8
  ) select id from below`
}
