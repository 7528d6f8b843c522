// The entity of accounts is an entity like others, but for three things: nobody below an administrator touches one or makes one, and a
// password set by somebody else ends the account's sessions and must be changed at the next sign-in (security §1 P2, H9).
import { adminRole, allPermission, may } from '@jiaowu/api'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { forbidden } from '../refusal.ts'
import type { LoadedEntity } from './loaded.ts'
import type { AnyDatabase } from './rows.ts'

const isAccounts = ({ table }: LoadedEntity): boolean => table.schema === 'sys' && table.name === 'app_user'

const hasAdministrator = async (db: AnyDatabase, ids: readonly string[]): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from sys.app_user u join sys.role r on r.id::text = any(u.role_ids) and r.tenant_id = u.tenant_id
    where u.id::text = any(${ids}::text[]) and r.code = ${adminRole} limit 1`.execute(db)
  return rows.length > 0
}

/** To be called before and after a write to these rows, in its transaction. @throws Refusal 403 */
export const guardAccounts = async (db: AnyDatabase, { subject }: Context, entity: LoadedEntity, ids: readonly string[]): Promise<void> => {
  if (!isAccounts(entity) || may(subject.permissions, allPermission)) return
  if (await hasAdministrator(db, ids)) throw forbidden()
}

export const afterPassword = async (db: AnyDatabase, { now }: Context, entity: LoadedEntity, id: string): Promise<void> => {
  if (!isAccounts(entity)) return
  await sql`update sys.app_user set must_change_password = true where id = ${id}::int8`.execute(db)
  await sql`update sys.session set ended_at = ${now().toISOString()}::timestamptz, ended_reason = 'password' where user_id = ${id}::int8 and ended_at is null`.execute(db)
}
