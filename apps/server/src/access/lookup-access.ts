// What a lookup, label or cascade answers of another entity (docs/rules/security.md#lookups).
import { defaultTenant, entityPermission, may } from '@jiaowu/api'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import { fieldKey, tableKey } from '../entities/definition/column-key.ts'
import type { LoadedEntity, LoadedField } from '../entities/definition/loaded.ts'
import {
  allOf,
  always,
  anyOf,
  columnRef,
  type Condition,
  never,
} from '../entities/definition/names.ts'
import {
  accessWith,
  type EntityAccess,
  everything,
  fieldRows,
  grantsFor,
  grantOf,
  isAllowed,
  mayRead,
  tenantRows,
} from './access.ts'
import { idRef } from '../entities/definition/row-key.ts'
import {
  patternParts,
  patternText,
  type TitlePattern,
} from '../entities/definition/title-pattern.ts'
import { rulesOn } from './rules/rules.ts'

export interface LookupAccess extends EntityAccess {
  /** Whether the caller's roles hold `view` of the target; without it only a label is answered. */
  readonly mayView: boolean
}

export function lookupAccess(context: Context, target: LoadedEntity): LookupAccess {
  const { subject } = context
  const withGrants = (grants: EntityAccess['grants'], mayView: boolean): LookupAccess => ({
    ...accessWith(target, subject.tenant, grants),
    mayView,
  })
  // A table without tenant_id belongs to the platform.
  const isForeign = !target.has('tenant_id') && subject.tenant !== defaultTenant
  if (isForeign || !mayRead(target, subject))
    return withGrants([{ overrides: {}, scope: never }], false)
  const permission = entityPermission(target.tag, 'view')
  const viewing = may(subject.permissions, permission) ? grantsFor(context, target, permission) : []
  if (viewing.length > 0) return withGrants(viewing, true)
  const stored = rulesOn(subject, tableKey(target), null).filter(({ isStored }) => isStored)
  return withGrants(
    stored.length === 0 ? [everything] : stored.map((rule) => grantOf(rule, target, context)),
    false,
  )
}

/** The caller's rows with those in the recycle bin, to which stored values may still point. */
export function labelledRows({ entity, tenant, grants }: EntityAccess): Condition {
  const scopes = grants.map(({ scope }) => scope)
  return allOf([
    tenantRows(entity, tenant),
    ...(scopes.includes(null) ? [] : [anyOf(scopes.filter((each) => each !== null))]),
  ])
}

/** What may name a row. */
interface Labels {
  /** In order: the first that the caller may read does. */
  readonly labels: readonly LoadedField[]
  readonly pattern?: TitlePattern | null
}

interface LabelChoice {
  readonly rows: Condition | null
  readonly ref: RawBuilder<unknown>
}

/**
 * The label of a row: the pattern where the caller may read all of its fields, else the first of the
 * fields that the caller may read, else its id. Null where these are empty. In the form `parts`,
 * `shownName` opens and masks it.
 */
export function labelRef(
  access: EntityAccess,
  { labels, pattern = null }: Labels,
  form: 'text' | 'parts' = 'text',
): RawBuilder<unknown> {
  const id = idRef(access.entity)
  const choices: LabelChoice[] = []
  if (pattern !== null && pattern.fields.every((field) => isAllowed(access, field, 'detail'))) {
    const limits = pattern.fields.map((field) => fieldRows(access, field, 'detail'))
    const rows = limits.filter((each) => each !== null)
    choices.push({
      rows: rows.length === 0 ? null : allOf(rows),
      ref: form === 'text' ? patternText(pattern) : patternParts(pattern),
    })
  }
  for (const field of labels) {
    if (choices.at(-1)?.rows === null) break
    if (field.column === null || !isAllowed(access, field, 'detail')) continue
    const rows = fieldRows(access, field, 'detail')
    choices.push({ rows, ref: columnRef(field.column.name) })
  }
  const [first] = choices
  if (first === undefined) return id
  if (first.rows === null) return first.ref
  const whens = choices.map(({ rows, ref }) => sql`when ${rows ?? always} then ${ref}::text`)
  return sql`(case ${sql.join(whens, sql` `)} else ${id}::text end)`
}

/** The column that labels every row for the caller; null when labels come from several or from a pattern. */
export function labelColumn(
  access: EntityAccess,
  { labels, pattern = null }: Labels,
): string | null {
  const first = labels.find((field) => isAllowed(access, field, 'detail'))
  return pattern === null && first !== undefined && fieldRows(access, first, 'detail') === null
    ? (first.column?.name ?? null)
    : null
}

/** The rows on which a cascade may filter by a field of the target; null for all of them. */
export function filterRows(access: LookupAccess, field: LoadedField): Condition | null {
  if (field.column === null || field.kind.secret) return never
  if (access.mayView && isAllowed(access, field, 'detail'))
    return fieldRows(access, field, 'detail')
  // A choice places a row in a list, such as the faculty of a class; other values could be guessed.
  if (field.kind.family !== 'choice') return never
  const open = access.grants.filter(
    ({ overrides }) => Object.keys(overrides[fieldKey(field)] ?? {}).length === 0,
  )
  return open.some(({ scope }) => scope === null)
    ? null
    : anyOf(open.map(({ scope }) => scope ?? always))
}
