// People whom a notice can reach: accounts of staff, and students, who have none in `sys.app_user`.
import type { Kysely } from 'kysely'
import type { Tables } from '../database/tables/tables.ts'

export interface NoticeReceiver {
  readonly id: string
  readonly email: string | null
  readonly mobile: string | null
  readonly isStudent: boolean
}

/** Reads those of the ids that are people of the school who can sign in, or students. */
export async function loadNoticeReceivers(
  db: Kysely<Tables>,
  tenant: string,
  ids: readonly string[],
): Promise<readonly NoticeReceiver[]> {
  if (ids.length === 0) return []
  const accounts = await db
    .selectFrom('sys.app_user')
    .select(['id', 'email', 'mobile'])
    .where('tenant_id', '=', tenant)
    .where('id', 'in', [...ids])
    .where('status', '=', '1')
    .where('deleted_at', 'is', null)
    .execute()
  const known = new Set(accounts.map(({ id }) => id))
  const others = ids.filter((id) => !known.has(id))
  const students =
    others.length === 0
      ? []
      : await db
          .selectFrom('biz.student')
          // The mobile that the student signed in by, which is proved; that of the register is not.
          .select(['id', 'email', 'account_mobile as mobile'])
          .where('tenant_id', '=', tenant)
          .where('id', 'in', others)
          .where('deleted_at', 'is', null)
          .execute()
  return [
    ...accounts.map((each) => ({ ...each, isStudent: false })),
    ...students.map((each) => ({ ...each, isStudent: true })),
  ]
}
