// Codes of an authenticator app (RFC 6238): 6 digits, a new one every 30 seconds, SHA-1, as such apps expect.
import { generateSecret, generateURI, verify } from 'otplib'
import { sql } from 'kysely'
import type { Services } from '../../model/context.ts'
import type { FactorOwner } from './factors.ts'

type Db = Services['database']['kysely']

const secretContext = 'sys.totp.secret'
/** Seconds by which the clock of the person's device may differ. */
const tolerance = 30

/** A new secret in place of one that was not confirmed. @returns it in base32, and as `otpauth:` address */
export async function offerTotp(
  trx: Db,
  { keys, now }: Services,
  {
    tenant,
    userId,
    account,
    issuer,
  }: FactorOwner & { readonly account: string; readonly issuer: string },
): Promise<{ readonly secret: string; readonly uri: string }> {
  const secret = generateSecret()
  const row = { secret: keys.seal(secretContext, secret), made_at: now() }
  await trx
    .insertInto('sys.totp')
    .values({ tenant_id: tenant, user_id: userId, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_id'])
        .doUpdateSet(row)
        .where('sys.totp.confirmed_at', 'is', null),
    )
    .execute()
  return { secret, uri: generateURI({ issuer, label: account, secret }) }
}

/**
 * Whether a code is that of the account's secret, within 30 s. Each code is taken once: concurrent calls with
 * one code are told apart by the row. @param which the secret that is a factor, or the one to be confirmed
 */
export async function takeTotp(
  db: Db,
  { keys, now }: Services,
  { tenant, userId }: FactorOwner,
  code: string,
  which: 'confirmed' | 'offered',
): Promise<boolean> {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return false
  const row = await db
    .selectFrom('sys.totp')
    .select(['secret', 'last_step'])
    .where('tenant_id', '=', tenant)
    .where('user_id', '=', userId)
    .where('confirmed_at', which === 'confirmed' ? 'is not' : 'is', null)
    .executeTakeFirst()
  if (row === undefined) return false
  const checked = await verify({
    secret: keys.open(secretContext, row.secret),
    token,
    epoch: Math.floor(now().getTime() / 1000),
    epochTolerance: tolerance,
  })
  if (!checked.valid || !('timeStep' in checked)) return false
  const taken = await db
    .updateTable('sys.totp')
    .set({
      last_step: String(checked.timeStep),
      ...(which === 'offered' && { confirmed_at: now() }),
    })
    .where('tenant_id', '=', tenant)
    .where('user_id', '=', userId)
    .where('secret', '=', row.secret)
    .where(sql<boolean>`coalesce(last_step, 0) < ${checked.timeStep}`)
    .returning('user_id')
    .execute()
  return taken.length === 1
}
