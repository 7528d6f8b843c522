import type { Context } from '../model/context.ts'
import { transact } from '../platform/database/transact.ts'
import { replaceStamp } from './factor/known-browsers.ts'
import type { HashCaller } from './hash-queue.ts'
import { hashPassword } from './password.ts'
import type { UserRecord } from './subject.ts'

/**
 * Stores the password of a sign-in under the present standard. Nothing changes where the password was changed
 * meanwhile; the browsers that the person trusts stay known.
 */
export async function renewHash(
  { database }: Pick<Context, 'database'>,
  user: UserRecord,
  password: string,
  caller: HashCaller,
): Promise<UserRecord> {
  const password_hash = await hashPassword(password, undefined, caller)
  const isRenewed = await transact(database.kysely, async (trx) => {
    const renewed = await trx
      .updateTable('sys.app_user')
      .set({ password_hash })
      .where('tenant_id', '=', user.tenant_id)
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .returning('id')
      .execute()
    if (renewed.length === 1) await replaceStamp(trx, user, password_hash)
    return renewed.length === 1
  })
  return isRenewed ? { ...user, password_hash } : user
}
