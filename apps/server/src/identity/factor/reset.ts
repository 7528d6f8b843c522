// Removing the second factors of an account: by its owner, or by two administrators.
import type { Services } from '../../model/context.ts'
import { forgetBrowsers } from './known-browsers.ts'
import { removeRecoveryCodes } from './recovery-codes.ts'
import type { FactorOwner } from './factors.ts'

type Db = Services['database']['kysely']

const day = 86_400_000

/** Removes every factor, and what stands for one. @returns how many factors there were */
export async function removeFactors(trx: Db, owner: FactorOwner): Promise<number> {
  const { tenant, userId } = owner
  const remove = (table: 'sys.totp' | 'sys.passkey' | 'sys.factor_step' | 'sys.factor_reset') =>
    trx
      .deleteFrom(table)
      .where('tenant_id', '=', tenant)
      .where('user_id', '=', userId)
      .returning('user_id')
      .execute()
  const gone = [...(await remove('sys.totp')), ...(await remove('sys.passkey'))]
  await remove('sys.factor_step')
  await remove('sys.factor_reset')
  await removeRecoveryCodes(trx, owner)
  await forgetBrowsers(trx, owner)
  return gone.length
}

export interface AskedReset {
  readonly askedBy: string
  readonly name: string
  readonly at: string
}

/** The request of an administrator that still counts. */
export async function findReset(
  db: Db,
  { now }: Pick<Services, 'now'>,
  { tenant, userId }: FactorOwner,
): Promise<AskedReset | undefined> {
  const row = await db
    .selectFrom('sys.factor_reset as r')
    .innerJoin('sys.app_user as u', (join) =>
      join.onRef('u.tenant_id', '=', 'r.tenant_id').onRef('u.id', '=', 'r.asked_by'),
    )
    .select(['r.asked_by', 'r.asked_at', 'u.name'])
    .where('r.tenant_id', '=', tenant)
    .where('r.user_id', '=', userId)
    .where('r.expires_at', '>', now().toISOString())
    .executeTakeFirst()
  return row === undefined
    ? undefined
    : { askedBy: row.asked_by, name: row.name, at: new Date(row.asked_at).toISOString() }
}

export async function askReset(
  trx: Db,
  { now }: Pick<Services, 'now'>,
  { tenant, userId }: FactorOwner,
  askedBy: string,
): Promise<void> {
  const row = {
    asked_by: askedBy,
    asked_at: now(),
    expires_at: new Date(now().getTime() + day),
  }
  await trx
    .insertInto('sys.factor_reset')
    .values({ tenant_id: tenant, user_id: userId, ...row })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet(row))
    .execute()
}
