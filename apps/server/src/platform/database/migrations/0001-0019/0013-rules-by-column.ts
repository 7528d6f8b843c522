import { renameRowProperties } from '@jiaowu/validation'
import { type Kysely, sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * Rules of roles per table and column instead of per tag and attrName, and the column of each
 * change in the history, so that a definition that renames an attribute shows nothing more
 * (docs/rules/security.md#permissions).
 */
export const rulesByColumnMigration: Migration & { readonly convert: typeof convertRules } = {
  name: '0013-rules-by-column',
  convert: convertRules,
  up: async (db) => {
    await run(db, [
      `create table sys.role_table_rule (tenant_id bigint not null,
        role_id bigint not null references sys.role(id), table_name text not null,
        row_scope text not null default 'all' check (row_scope in ('all', 'own', 'org', 'org_tree',
        'expression')), scope_expression text, field_overrides jsonb not null default '{}',
        primary key (role_id, table_name))`,
    ])
    const entities = await readEntities(db)
    await moveRules(db, entities)
    await run(db, ['drop table sys.role_entity_rule'])
    await addColumnsToHistory(db, entities)
  },
}

interface StoredField {
  readonly attrName: string
  readonly columnName?: string | null
  readonly uiType?: string
  readonly isList?: number
  readonly isDetail?: number
  readonly isExport?: number
  readonly isEdit?: number
}
interface StoredEntity {
  readonly tenant: string
  readonly tag: string
  readonly table: string
  readonly fields: readonly StoredField[]
}
type Narrowing = Readonly<Record<string, number>>
interface OldRule {
  readonly tag: string
  readonly scope: string
  readonly expression: string | null
  readonly overrides: Readonly<Record<string, Narrowing>>
}
interface NewRule {
  readonly scope: string
  readonly expression: string | null
  readonly overrides: Readonly<Record<string, Narrowing>>
}

async function readEntities(db: Kysely<unknown>): Promise<StoredEntity[]> {
  const { rows } = await sql<{
    tenant: string
    tag: string
    table: string
    fields: readonly StoredField[] | null
  }>`
    select tenant_id::text as tenant, tag, definition->'fields' as fields,
      coalesce(definition->>'schemaName', 'biz') || '.' || (definition->>'tableName') as "table"
    from sys.entity where definition->>'tableName' is not null`.execute(db)
  return rows.map((row) => ({ ...row, fields: row.fields ?? [] }))
}

/** The tenant's own definition, else the shipped one of tenant 0. */
function findStoredEntity(
  entities: readonly StoredEntity[],
  tenant: string,
  tag: string,
): StoredEntity | undefined {
  const found = entities.filter((each) => each.tag === tag)
  return found.find((each) => each.tenant === tenant) ?? found.find((each) => each.tenant === '0')
}

async function moveRules(db: Kysely<unknown>, entities: readonly StoredEntity[]): Promise<void> {
  const { rows } = await sql<OldRule & { tenant: string; role: string }>`
    select tenant_id::text as tenant, role_id::text as role, tag, row_scope as scope,
      scope_expression as expression, field_overrides as overrides
    from sys.role_entity_rule order by tag`.execute(db)
  const grouped = Map.groupBy(
    rows.flatMap((row) => {
      const entity = findStoredEntity(entities, row.tenant, row.tag)
      return entity === undefined ? [] : [{ ...row, entity }]
    }),
    ({ role, entity }) => `${role} ${entity.table}`,
  )
  for (const rules of grouped.values()) {
    const [first] = rules
    if (first === undefined) continue
    const { scope, expression, overrides } = convertRules(rules)
    await sql`
      insert into sys.role_table_rule
        (tenant_id, role_id, table_name, row_scope, scope_expression, field_overrides)
      values (${first.tenant}::int8, ${first.role}::int8, ${first.entity.table}, ${scope},
        ${expression}, ${JSON.stringify(overrides)}::jsonb)`.execute(db)
  }
}

const flags = ['isList', 'isQuery', 'isDetail', 'isExport', 'isAdd', 'isEdit'] as const

/**
 * One rule per table from those of its entities. Where they differ, the result is at least as
 * narrow as each of them.
 */
function convertRules(rules: readonly (OldRule & { readonly entity: StoredEntity })[]): NewRule {
  const overrides: Record<string, Narrowing> = {}
  for (const rule of rules)
    for (const [key, narrowing] of listNarrowings(rule))
      overrides[key] = narrowest(overrides[key] ?? {}, narrowing)
  return { ...mergeRowRules(rules), overrides }
}

/** As of this migration; later kinds of fields cannot occur in it. */
const layoutKinds = /^(?:group|separate)$/

function listNarrowings({
  entity: { fields },
  overrides,
}: OldRule & { readonly entity: StoredEntity }): (readonly [string, Narrowing])[] {
  return Object.entries(overrides).flatMap(([attrName, narrowing]) => {
    const field = fields.find((each) => each.attrName === attrName)
    if (field === undefined || layoutKinds.test(field.uiType ?? '')) return []
    const key = field.columnName ?? `custom:${attrName}`
    return [[key, isHidden(field, narrowing) ? hidden : narrowing] as const]
  })
}

const hidden: Narrowing = Object.fromEntries(flags.map((flag) => [flag, 0]))

/** Nothing of the field can be read: then the whole column is hidden. */
function isHidden(field: StoredField, narrowing: Narrowing): boolean {
  return (
    Object.keys(narrowing).length > 0 &&
    (['isList', 'isDetail', 'isExport', 'isEdit'] as const).every(
      (flag) => (field[flag] ?? (flag === 'isEdit' ? 1 : 0)) === 0 || narrowing[flag] === 0,
    )
  )
}

function narrowest(a: Narrowing, b: Narrowing): Narrowing {
  return Object.fromEntries(
    flags.flatMap((flag) => {
      const values = [a[flag], b[flag]].filter((value) => value !== undefined)
      return values.length === 0 ? [] : [[flag, values.includes(0) ? 0 : 2] as const]
    }),
  )
}

/** Narrowest first. `org_tree` has no expression, so that combined with another it means `org`. */
const scopes: Readonly<Record<string, string>> = {
  own: 'row.create_user == user.id',
  org: 'row.org_id == user.orgId',
  org_tree: 'row.org_id == user.orgId',
}

function mergeRowRules(
  rules: readonly (OldRule & { readonly entity: StoredEntity })[],
): Pick<NewRule, 'scope' | 'expression'> {
  const parts = new Map(
    rules
      .filter(({ scope }) => scope !== 'all')
      .map(({ scope, expression, entity }) => {
        const text = scope === 'expression' ? byColumns(expression, entity) : null
        return [`${scope} ${text}`, { scope, text }] as const
      }),
  )
  const [first, ...others] = parts.values()
  if (first === undefined) return { scope: 'all', expression: null }
  if (others.length === 0) return { scope: first.scope, expression: first.text }
  return {
    scope: 'expression',
    expression: [first, ...others]
      .map(({ scope, text }) => `(${scopes[scope] ?? text ?? 'false'})`)
      .join(' and '),
  }
}

/** An attribute without a column keeps the rule from selecting any row, as before. */
function byColumns(expression: string | null, { fields }: StoredEntity): string | null {
  if (expression === null) return null
  try {
    return renameRowProperties(
      expression,
      (name) => fields.find(({ attrName }) => attrName === name)?.columnName ?? `?${name}`,
    )
  } catch {
    return expression // it cannot be read, and selects no row
  }
}

async function addColumnsToHistory(
  db: Kysely<unknown>,
  entities: readonly StoredEntity[],
): Promise<void> {
  const { rows } = await sql<{ tenant: string; tag: string }>`
    select distinct tenant_id::text as tenant, tag from sys.row_history`.execute(db)
  for (const { tenant, tag } of rows) {
    const entity = findStoredEntity(entities, tenant, tag)
    if (entity === undefined) continue
    const keys = JSON.stringify(
      Object.fromEntries(
        entity.fields.map(({ attrName, columnName }) => [
          attrName,
          `${entity.table}.${columnName ?? `custom:${attrName}`}`,
        ]),
      ),
    )
    await sql`
      update sys.row_history h set changes = (
        select jsonb_agg(case when k.keys ? (c.change->>'attrName')
          then c.change || jsonb_build_object('key', k.keys->(c.change->>'attrName'))
          else c.change end order by c.nth)
        from jsonb_array_elements(h.changes) with ordinality as c(change, nth),
          (select ${keys}::jsonb as keys) k)
      where h.tenant_id = ${tenant}::int8 and h.tag = ${tag}::text
        and jsonb_array_length(h.changes) > 0`.execute(db)
  }
}
