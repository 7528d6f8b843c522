import { type RawBuilder, sql } from 'kysely'

/** The only names that ever reach SQL: from a definition AND the catalog, never from a request (docs/rules/security.md#i1). */
const plainName = /^[a-z][a-z0-9_]{0,62}$/
export const isPlainName = (name: string): boolean => plainName.test(name)

/** A quoted identifier. @throws when it is not a plain name, whoever let it through */
export function identifier(name: string): RawBuilder<unknown> {
  if (!isPlainName(name)) throw new Error('not a plain SQL name')
  return sql.id(name)
}
export function tableName(schema: string, table: string): RawBuilder<unknown> {
  return sql`${identifier(schema)}.${identifier(table)}`
}

/** Every entity query calls its table so. */
export const rowAlias = 't'
export function columnRef(column: string, alias: string = rowAlias): RawBuilder<unknown> {
  return sql`${identifier(alias)}.${identifier(column)}`
}

export type Condition = RawBuilder<unknown>
export const always: Condition = sql`true`
export const never: Condition = sql`false`
/** Joined in brackets, so that no operator of a part can reach out of it. */
export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? always : sql`(${sql.join(conditions, sql` and `)})`
}
export function anyOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? never : sql`(${sql.join(conditions, sql` or `)})`
}

/** A bound value with its type said. `type` comes from the code's own table of casts. */
export function typed(value: unknown, type: string): RawBuilder<unknown> {
  return sql`${value}::${sql.raw(type)}`
}

/** `\`, `%` and `_` stand for themselves (docs/rules/security.md#i2). */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (c) => `\\${c}`)
