// Finds the account of an identity (docs/rules/security.md#s8).
import { cutText } from '@jiaowu/api/cut-text'
import { sql } from 'kysely'
import type { Services } from '../../model/context.ts'
import type { SsoProvider } from '../../platform/settings/settings-sso.ts'
import { claimAt, SsoFault } from './identity-provider.ts'

type Db = Services['database']['kysely']
type Claims = Readonly<Record<string, unknown>>

const longestName = 64

/** The value by which persons are found. @throws SsoFault where the provider does not tell it */
export function readAccountKey({ claim }: SsoProvider, claims: Claims): string {
  const value = claimAt(claims, claim)
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  const key = text.trim()
  if (key === '' || key.length > longestName) throw new SsoFault('unknown', `no claim ${claim}`)
  // Anybody may have entered an address that is not verified.
  if (claim === 'email' && claimAt(claims, 'email_verified') !== true)
    throw new SsoFault('unknown', 'the e-mail is not verified')
  return key
}

/** The id of the account of a person; undefined without one. */
export async function matchAccount(
  db: Db,
  { tenant, match }: SsoProvider,
  key: string,
): Promise<string | undefined> {
  const { rows } = await (
    match === 'account'
      ? sql<{ id: string }>`
          select id::text as id from sys.app_user
          where tenant_id = ${tenant}::int8 and deleted_at is null
            and sys.canonical_name(account) = sys.canonical_name(${key}::text)
          order by account = ${key}::text desc limit 1`
      : sql<{ id: string }>`
          select u.id::text as id from sys.app_user u
          join biz.teacher p on p.tenant_id = u.tenant_id and p.id::text = u.person_id
          where u.tenant_id = ${tenant}::int8 and u.deleted_at is null
            and u.person_tag = 'EDU_TEACHER' and p.deleted_at is null and p.teacher_no = ${key}::text
          limit 1`
  ).execute(db)
  return rows[0]?.id
}

/** The id of the student with a number; undefined without one. */
export async function matchStudent(
  db: Db,
  { tenant }: Pick<SsoProvider, 'tenant'>,
  key: string,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('biz.student')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('student_no', '=', key)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found?.id
}

/** The name of a new account's person. */
export function readPersonName(claims: Claims, key: string): string {
  const name = claimAt(claims, 'name')
  return cutText(typeof name === 'string' && name.trim() !== '' ? name.trim() : key, 50)
}
