import { type RawBuilder, sql } from 'kysely'

/** Names of PostgreSQL have at most 63 bytes and no NUL; all others are cut or refused by it. */
export function isSqlName(name: string): boolean {
  return name !== '' && !name.includes('\u0000') && Buffer.byteLength(name) <= 63
}

/**
 * A quoteName identifier. Names that become part of SQL exist in the catalog, and never come from a
 * request (docs/rules/security.md#i1). @throws Error for what is no name
 */
export function identifier(name: string): RawBuilder<unknown> {
  if (!isSqlName(name)) throw new Error('not an SQL name')
  return sql.id(name)
}
/** A quoteName identifier as text, for statements that people copy. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function tableName(schema: string, table: string): RawBuilder<unknown> {
  return sql`${identifier(schema)}.${identifier(table)}`
}

/** The alias of the entity's table in every entity query. */
export const rowAlias = 't'
export function columnRef(column: string, alias: string = rowAlias): RawBuilder<unknown> {
  return sql`${identifier(alias)}.${identifier(column)}`
}

export type Condition = RawBuilder<unknown>
export const always: Condition = sql`true`
export const never: Condition = sql`false`
/** Joined in parentheses to isolate the operators of each part. */
export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? always : sql`(${sql.join(conditions, sql` and `)})`
}
export function anyOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? never : sql`(${sql.join(conditions, sql` or `)})`
}

/** A bound value with an explicit cast. `type` must be a constant of the code, see `castOf`. */
export function formatTyped(value: unknown, type: string): RawBuilder<unknown> {
  return sql`${value}::${sql.raw(type)}`
}

/** Escapes the wildcards of LIKE: `\`, `%` and `_` (docs/rules/security.md#i2). */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (c) => `\\${c}`)

/**
 * Whether a text matches a pattern in either case. A pattern without letters that have a case, such as
 * one of Chinese characters or digits, uses `like`: `ilike` folds every row first.
 */
export function matchesPattern(text: RawBuilder<unknown>, pattern: string): Condition {
  const bound = formatTyped(pattern, 'text')
  return pattern.toLowerCase() === pattern.toUpperCase()
    ? sql`${text} like ${bound}`
    : sql`${text} ilike ${bound}`
}
