// Codes for a person who has lost the device: ten, each taken once.
import { randomInt } from 'node:crypto'
import type { Services } from '../../model/context.ts'
import { hashOf } from '../../platform/tokens.ts'
import type { FactorOwner } from './factors.ts'

type Db = Services['database']['kysely']

const count = 10
/** 32 letters and digits without look-alikes; 16 of them give 80 bits. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** New codes in place of all earlier ones. */
export async function replaceRecoveryCodes(
  trx: Db,
  { tenant, userId }: FactorOwner,
): Promise<readonly string[]> {
  const codes = Array.from({ length: count }, newCode)
  await removeRecoveryCodes(trx, { tenant, userId })
  await trx
    .insertInto('sys.recovery_code')
    .values(
      codes.map((code) => ({ tenant_id: tenant, user_id: userId, code_hash: hashCode(code) })),
    )
    .execute()
  return codes
}

export async function removeRecoveryCodes(trx: Db, { tenant, userId }: FactorOwner): Promise<void> {
  await trx
    .deleteFrom('sys.recovery_code')
    .where('tenant_id', '=', tenant)
    .where('user_id', '=', userId)
    .execute()
}

/** Whether a code is one of the account that was not used, and uses it. */
export async function takeRecoveryCode(
  db: Db,
  { now }: Services,
  { tenant, userId }: FactorOwner,
  code: string,
): Promise<boolean> {
  const taken = await db
    .updateTable('sys.recovery_code')
    .set({ used_at: now() })
    .where('tenant_id', '=', tenant)
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashCode(code))
    .where('used_at', 'is', null)
    .returning('user_id')
    .execute()
  return taken.length === 1
}

export async function countRecoveryCodes(db: Db, { tenant, userId }: FactorOwner): Promise<number> {
  const { left } = await db
    .selectFrom('sys.recovery_code')
    .select((e) => e.fn.countAll<string>().as('left'))
    .where('tenant_id', '=', tenant)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(left)
}

function newCode(): string {
  const signs = Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)] ?? '').join(
    '',
  )
  return (signs.match(/.{4}/g) ?? []).join('-')
}

/** Typed with or without dashes, in either case. */
function hashCode(code: string): string {
  return hashOf(code.toLowerCase().replace(/[^\da-z]/g, ''))
}
