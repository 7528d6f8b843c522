// Acts that a stolen session must not be enough for (docs/rules/security.md#s6).
import { sql } from 'kysely'
import { proofHeader, proofNeededCode } from '@jiaowu/api/problem'
import type { Context, Services } from '../model/context.ts'
import { Refusal } from '../platform/refusal.ts'
import { readFactorKinds } from './factor/factors.ts'
import { readProofWindow } from './session-times.ts'
import { hashOf, newToken } from '../platform/tokens.ts'

type Db = Services['database']['kysely']

const minute = 60_000
/** Milliseconds within which a token is used. */
export const proofTokenLife = 5 * minute

/**
 * A token for one act of the caller's session. The session keeps the hash of one: a second token voids the
 * first. Call after the person has proved who they are.
 */
export async function issueProof(
  trx: Db,
  { now }: Services,
  {
    tenant,
    family,
    madeAt = null,
  }: {
    readonly tenant: string
    readonly family: string
    /** When the person made the proof elsewhere; null: when the token is used. */
    readonly madeAt?: Date | null
  },
): Promise<string> {
  const token = newToken()
  await trx
    .updateTable('sys.session')
    .set({
      proof_hash: hashOf(token),
      proof_expires_at: new Date(now().getTime() + proofTokenLife),
      proof_made_at: madeAt,
    })
    .where('tenant_id', '=', tenant)
    .where('family_id', '=', family)
    .where('ended_at', 'is', null)
    .execute()
  return token
}

/** Kinds of proof besides the password, by the way of the sign-in. */
const moreKinds: Readonly<Record<string, readonly string[]>> = {
  oidc: ['provider'],
  cas: ['provider'],
  device: ['device'],
}

/**
 * Passes when the person of the session has proved who they are within the window, or the call brings a token
 * of such a proof, which it uses up: from then on the proof counts for the session.
 * @param db the transaction of the act, where there is one, because the embedded database has one connection
 * @throws Refusal 403/40310, with the kinds of proof that are taken
 */
export async function assertFreshProof(
  { subject, request, now }: Pick<Context, 'subject' | 'request' | 'now'>,
  db: Db,
): Promise<void> {
  const [{ tenant, userId, sessionId }, at] = [subject, now()]
  const session = await db
    .selectFrom('sys.session')
    .select('family_id')
    .where('tenant_id', '=', tenant)
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const token = request.headers.get(proofHeader)
  if (token !== null) {
    const used = await db
      .updateTable('sys.session')
      .set({
        proved_at: sql`greatest(proved_at, coalesce(proof_made_at, ${at.toISOString()}::timestamptz))`,
        proof_hash: null,
        proof_expires_at: null,
        proof_made_at: null,
      })
      .where('tenant_id', '=', tenant)
      .where('family_id', '=', session.family_id)
      .where('user_id', '=', userId)
      .where('proof_hash', '=', hashOf(token))
      .where('proof_expires_at', '>', at.toISOString())
      .where('ended_at', 'is', null)
      .returning('id')
      .execute()
    if (used.length > 0) return
  }
  const { proved_at, proof_by } = await db
    .selectFrom('sys.session')
    .select(['proved_at', 'proof_by'])
    .where('tenant_id', '=', tenant)
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const window = await readProofWindow(db, tenant)
  if (proved_at !== null && at.getTime() - new Date(proved_at).getTime() < window) return
  const factors = await readFactorKinds(db, { tenant, userId })
  throw new Refusal(
    403,
    { key: 'problem.proofNeeded' },
    {
      code: proofNeededCode,
      data: {
        kinds: [
          ...(moreKinds[proof_by ?? ''] ?? []),
          ...(factors.includes('totp') ? ['totp'] : []),
          'password',
        ],
      },
    },
  )
}
