// Passwords of another program's users: only a person knows whether that program stores them as they
// are typed. The draft leaves them out and asks, except where the stored values are hashes.
import type { FieldDraft } from '@jiaowu/api/entity/definition/definition'
import { findKind } from '@jiaowu/api/fields/kinds'
import { soundsHashed } from '@jiaowu/api/entity/definition/secret-names'
import { sql } from 'kysely'
import { identifier, tableName } from '../../model/definition/names.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import type { InspectedColumn, InspectedTable } from './inspect.ts'

export interface PasswordColumn {
  readonly table: Pick<InspectedTable, 'schema' | 'name'>
  readonly column: string
}

/** Values that are looked at. */
const sampled = 20
/** Forms of hashes: crypt(3) and PHC strings, those of Django and LDAP, bare digests in hex. */
const hashForms = String.raw`^(\$(1|2[abxy]?|5|6|7|y|argon2[a-z]*|scrypt|pbkdf2[a-z0-9-]*)\$|(pbkdf2|bcrypt|argon2|scrypt|sha1|md5)[a-z0-9_]*\$|\{[a-z0-9-]+\}|([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$)`

/**
 * Whether a column sounds like a password of another program. Its field is no part of the draft until
 * a person says so: whatever is typed would be no hash.
 */
export function isPassword(
  { name, baseNames, comment }: InspectedColumn,
  { uiType }: FieldDraft,
): boolean {
  return (
    findKind(uiType ?? 'input').secret &&
    [name, ...baseNames].some((each) => soundsHashed(each, comment))
  )
}

/** For each column, whether it holds values and all that were looked at have the form of a hash. */
export async function holdHashes(
  db: AnyDatabase,
  passwords: readonly PasswordColumn[],
): Promise<readonly boolean[]> {
  if (passwords.length === 0) return []
  const { rows } = await sql<{ hashed: boolean | null }>`
    ${sql.join(
      passwords.map(
        ({ table: { schema, name }, column }, at) => sql`select ${at}::int4 as at, (
          select bool_and(value ~* ${hashForms}) from (
            select ${identifier(column)}::text as value from ${tableName(schema, name)}
            where ${identifier(column)} is not null and ${identifier(column)}::text <> ''
            limit ${sampled}
          ) as found
        ) as hashed`,
      ),
      sql` union all `,
    )} order by at`.execute(db)
  return rows.map(({ hashed }) => hashed === true)
}
