import type { LoadedEntity, LoadedField } from './loaded.ts'

/** The one column whose secret is stored as a hash of the product: the password of its accounts. */
export const accountPassword = {
  schema: 'sys',
  table: 'app_user',
  column: 'password_hash',
} as const

/**
 * Whether a secret field is stored as a hash. Secrets in tables of other programs are stored as typed,
 * because those programs use them (docs/rules/security.md#secrets).
 */
export function isHashed(
  { table: { schema, name } }: Pick<LoadedEntity, 'table'>,
  { kind, column }: Pick<LoadedField, 'kind' | 'column'>,
): boolean {
  return (
    kind.secret &&
    schema === accountPassword.schema &&
    name === accountPassword.table &&
    column?.name === accountPassword.column
  )
}
