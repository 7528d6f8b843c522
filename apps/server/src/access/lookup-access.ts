// Answers of another entity to a lookup, label or cascade (docs/rules/security.md#lookups).
import { defaultTenant } from '@jiaowu/api/limits'
import { dictTypes } from '@jiaowu/api/entity/enums'
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import { schoolTimeZone } from '@jiaowu/api/zoned-time'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../model/context.ts'
import { fieldKey } from '../model/definition/column-key.ts'
import type { LoadedEntity, LoadedField } from '../model/definition/loaded.ts'
import {
  allOf,
  always,
  anyOf,
  columnRef,
  type Condition,
  never,
  formatTyped,
} from '../model/definition/names.ts'
import {
  accessWith,
  type EntityAccess,
  everything,
  fieldRows,
  grantsFor,
  buildGrant,
  isAllowed,
  mayRead,
  tenantRows,
} from './access.ts'
import { familyOf } from '../model/fields/column.ts'
import { itemName } from '../model/definition/dictionary.ts'
import { type Naming, partsMark, type Relation, relatedMark } from '../model/definition/relation.ts'
import { fromTable } from '../model/definition/from-table.ts'
import { idRef, idText } from '../model/definition/row-key.ts'
import type { TitlePattern } from '../model/definition/title-pattern.ts'
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
  const isForeign = target.isOfPlatform && subject.tenant !== defaultTenant
  if (isForeign || !mayRead(target, subject))
    return withGrants([{ overrides: {}, scope: never }], false)
  const permission = entityPermission(target.tag, 'view')
  const viewing = may(subject.permissions, permission) ? grantsFor(context, target, permission) : []
  if (viewing.length > 0) return withGrants(viewing, true)
  const stored = rulesOn(subject, target.table, null).filter(({ isStored }) => isStored)
  return withGrants(
    stored.length === 0 ? [everything] : stored.map((rule) => buildGrant(rule, target, context)),
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

interface LabelChoice {
  readonly rows: Condition | null
  readonly ref: RawBuilder<unknown>
  /** A label that is a relation: where it is empty, the next label names the row. */
  readonly isRelated: boolean
}

/** `text` to search and sort by; `parts` for `shownName`, which opens and masks each. */
export type LabelForm = 'text' | 'parts'

/**
 * The label of a row: the pattern where the caller may read all of its fields, else the first of the
 * fields that the caller may read, else its id. Null where these are empty. The label of a field that
 * is a relation is that of its row.
 */
export function labelRef(
  context: Context,
  access: EntityAccess,
  naming: Naming,
  form: LabelForm = 'text',
): RawBuilder<unknown> {
  const { labels, pattern } = naming
  const id = idRef(access.entity)
  const choices: LabelChoice[] = []
  if (pattern !== null && pattern.fields.every((field) => isAllowed(access, field, 'detail'))) {
    const limits = pattern.fields.map((field) => fieldRows(access, field, 'detail'))
    const rows = limits.filter((each) => each !== null)
    choices.push({
      rows: rows.length === 0 ? null : allOf(rows),
      ref: patternRef(context, naming, pattern, form),
      isRelated: false,
    })
  }
  for (const [at, field] of labels.entries()) {
    const before = choices.at(-1)
    if (before?.rows === null && !before.isRelated) break
    if (field.column === null || !isAllowed(access, field, 'detail')) continue
    const rows = fieldRows(access, field, 'detail')
    const text = fieldText(context, naming, field, form)
    const isMarked = form === 'parts' && naming.related.has(field)
    choices.push({
      rows,
      ref: isMarked ? markedText(at, text) : text,
      isRelated: naming.related.has(field),
    })
  }
  const [first] = choices
  if (first === undefined) return id
  if (choices.some(({ isRelated }) => isRelated) && choices.length > 1) {
    const refs = choices.map(({ rows, ref }) =>
      rows === null ? sql`${ref}::text` : sql`(case when ${rows} then ${ref}::text end)`,
    )
    return sql`coalesce(${sql.join(refs)})`
  }
  if (first.rows === null) return first.ref
  const whens = choices.map(({ rows, ref }) => sql`when ${rows ?? always} then ${ref}::text`)
  return sql`(case ${sql.join(whens, sql` `)} else ${id}::text end)`
}

/**
 * The label of the row that a relation stores, to search and sort by: one scalar subquery, at any depth
 * of labels that are relations. The key itself where the caller may not read the row.
 * @param key the column that stores the key, of the table in the surrounding statement
 */
export function relatedLabel(
  context: Context,
  relation: Relation,
  key: RawBuilder<unknown>,
  form: LabelForm = 'text',
): RawBuilder<unknown> {
  const { target, keyed } = relation
  const access = lookupAccess(context, target)
  // Both tables have the same alias: the key leaves the outer one before the inner one hides it.
  return sql`coalesce((
    select l.name from (select ${key}::text as key) as k cross join lateral (
      select ${labelRef(context, access, relation, form)}::text as name from ${fromTable(target)}
      where ${labelledRows(access)} and ${isKey(keyed)}
    ) as l limit 1), ${key}::text)`
}

/** Compares the key of a row with `k.key`, by its index where the type of the key allows. */
function isKey(keyed: Relation['keyed']): Condition {
  const [only, ...more] = keyed.key
  const isNumber = only !== undefined && more.length === 0 && familyOf(only) === 'integer'
  return isNumber
    ? sql`${columnRef(only.name)} = (case when k.key ~ '^-?[0-9]{1,18}$' then k.key::int8 end)`
    : sql`${idText(keyed)} = k.key`
}

function markedText(at: number, text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${formatTyped(`${relatedMark}${at}${relatedMark}`, 'text')} || ${text})`
}

/** The filled pattern: as a text, null without any value; or its parts as a JSON list. */
function patternRef(
  context: Context,
  naming: Naming,
  { parts, fields }: TitlePattern,
  form: LabelForm,
): RawBuilder<unknown> {
  const texts = new Map(
    fields.map((field) => [field.definition.attrName, fieldText(context, naming, field, form)]),
  )
  if (form === 'parts') {
    const refs = [...texts.values()]
    return sql`case when coalesce(${sql.join(refs)}) is not null
      then ${formatTyped(partsMark, 'text')} || json_build_array(${sql.join(refs)})::text end`
  }
  const filled = parts.map((part) =>
    typeof part === 'string' ? formatTyped(part, 'text') : (texts.get(part.attrName) ?? sql`''`),
  )
  const bare = parts.filter((part) => typeof part === 'string').join('')
  return sql`nullif(btrim(concat(${sql.join(filled)})), ${formatTyped(bare.trim(), 'text')})`
}

function fieldText(
  context: Context,
  { related }: Naming,
  field: LoadedField,
  form: LabelForm,
): RawBuilder<unknown> {
  const { column, definition } = field
  if (column === null) return sql`null::text`
  const ref = columnRef(column.name)
  const relation = related.get(field)
  if (relation !== undefined) return relatedLabel(context, relation, ref, form)
  if (definition.dictType === dictTypes.dictionary && definition.dictValue !== null)
    return itemName(context, definition.dictValue, sql`${ref}::text`)
  if (familyOf(column) === 'instant')
    return sql`(${ref} at time zone ${sql.lit(schoolTimeZone)})::text`
  return form === 'text' ? ref : sql`${ref}::text`
}

/**
 * The second line of a choice, for callers who may view its entity: the fields of the pattern that they
 * may read on every row. Null without one.
 */
export function noteRef(
  context: Context,
  access: LookupAccess,
  { subtitle }: Relation,
): { readonly naming: Naming; readonly ref: RawBuilder<unknown> } | null {
  if (subtitle?.pattern == null || !access.mayView) return null
  const { parts, fields } = subtitle.pattern
  const open = fields.filter(
    (field) => isAllowed(access, field, 'detail') && fieldRows(access, field, 'detail') === null,
  )
  if (open.length === 0) return null
  const naming = { ...subtitle, pattern: { parts, fields: open } }
  return { naming, ref: patternRef(context, naming, naming.pattern, 'parts') }
}

/** The column that labels every row for the caller; null when labels come from several or from a pattern. */
export function labelColumn(access: EntityAccess, naming: Naming): string | null {
  const { labels, pattern, related } = naming
  const first = labels.find((field) => isAllowed(access, field, 'detail'))
  return pattern === null &&
    first !== undefined &&
    !related.has(first) &&
    first.kind.family !== 'choice' &&
    fieldRows(access, first, 'detail') === null
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
