// The second step of a sign-in: the password was right, and the account has a second factor.
import type { FactorStep } from '@jiaowu/api/contract/factor'
import { factorNeededCode } from '@jiaowu/api/problem'
import type { Context } from '../../model/context.ts'
import { auditAlone } from '../../platform/audit/write.ts'
import { bothLanguages, sendMessage } from '../../platform/messages.ts'
import {
  assertNoWait,
  blockUntil,
  increment,
  readCounter,
  resetCounter,
} from '../../platform/limits/rate-limits.ts'
import { networkOf } from '../../platform/requests/address.ts'
import { Refusal } from '../../platform/refusal.ts'
import { hashOf, newTokenOf, schoolOfToken } from '../../platform/tokens.ts'
import { isActive, readUser, toUserActor, type UserRecord } from '../subject.ts'
import { type FactorOwner, readFactorKinds, toFactorOwner } from './factors.ts'
import { isKnownBrowser } from './known-browsers.ts'

type Db = Context['database']['kysely']

const minute = 60_000
/** A step is answered within 5 minutes, by the fifth code at the latest. */
const [stepLife, stepTries] = [5 * minute, 5]
/** Wrong codes of an account over all steps in 15 minutes: its owner gets a message, and later has to wait. */
const [window, tellAfter, waitAfter] = [15 * minute, 5, 10]

/** The sign-in before the factor, which the session is opened with after it. */
export interface FirstProof {
  readonly by: 'password' | 'ldap'
  /** The directory, and the name typed for it. */
  readonly provider: string | null
  readonly subject: string | null
}

/**
 * Passes where the account has no second factor, or the browser need not be asked.
 * @throws Refusal 401/40101 with the step to go on with
 */
export async function assertFactor(
  context: Context,
  user: UserRecord,
  { by, provider, subject }: FirstProof,
): Promise<void> {
  if (!user.has_factor || (await isKnownBrowser(context, user))) return
  const kinds = await readFactorKinds(context.database.kysely, toFactorOwner(user))
  const token = newTokenOf(user.tenant_id)
  await context.database.kysely
    .insertInto('sys.factor_step')
    .values({
      tenant_id: user.tenant_id,
      token_hash: hashOf(token),
      user_id: user.id,
      proof_by: by,
      provider,
      subject,
      network: networkOf(context.ip),
      expires_at: new Date(context.now().getTime() + stepLife),
    })
    .execute()
  throw new Refusal(
    401,
    { key: 'factor.needed' },
    { code: factorNeededCode, data: { factor: { token, kinds } satisfies FactorStep } },
  )
}

/** A step that is open, with the account that waits. */
export interface OpenStep {
  readonly token: string
  readonly tenant: string
  readonly user: UserRecord
  readonly first: FirstProof
  readonly challenge: string | null
  readonly triesLeft: number
}

const over = () => new Refusal(400, { key: 'factor.over' })

/**
 * Finds a step in the network that it began in. @param counts a try, which the step has five of
 * @throws Refusal 400 for one that is over
 */
export async function openStep(
  context: Context,
  token: string,
  counts: boolean,
): Promise<OpenStep> {
  const tenant = schoolOfToken(token)
  if (tenant === undefined || tenant === null) throw over()
  const row = await context.database.kysely
    .updateTable('sys.factor_step')
    .set((e) => ({ tries: e('tries', '+', counts ? 1 : 0) }))
    .where('tenant_id', '=', tenant)
    .where('token_hash', '=', hashOf(token))
    .where('network', '=', networkOf(context.ip))
    .where('expires_at', '>', context.now().toISOString())
    .where('tries', '<', stepTries)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw over()
  const user = await readUser(context, tenant, row.user_id)
  if (!isActive(user)) throw over()
  return {
    token,
    tenant,
    user,
    first: {
      by: row.proof_by === 'ldap' ? 'ldap' : 'password',
      provider: row.provider,
      subject: row.subject,
    },
    challenge: row.challenge,
    triesLeft: stepTries - row.tries,
  }
}

export async function keepChallenge(
  { database }: Context,
  { tenant, token }: OpenStep,
  challenge: string,
): Promise<void> {
  await database.kysely
    .updateTable('sys.factor_step')
    .set({ challenge })
    .where('tenant_id', '=', tenant)
    .where('token_hash', '=', hashOf(token))
    .execute()
}

/** Ends a step with its session. @throws Refusal 400 where another call has done so */
export async function closeStep(trx: Db, { tenant, token }: OpenStep): Promise<void> {
  const closed = await trx
    .deleteFrom('sys.factor_step')
    .where('tenant_id', '=', tenant)
    .where('token_hash', '=', hashOf(token))
    .returning('token_hash')
    .execute()
  if (closed.length !== 1) throw over()
}

const counterFor = ({ tenant, userId }: FactorOwner) => `factor:${tenant}:${userId}`

/** @throws Refusal 429 after too many wrong codes of the account */
export async function assertMayTryFactor(context: Context, owner: FactorOwner): Promise<void> {
  const key = counterFor(owner)
  assertNoWait((await readCounter(context.database, key, window, context.now())).waitSeconds)
}

export async function forgetWrongFactors({ database }: Context, owner: FactorOwner): Promise<void> {
  await resetCounter(database, counterFor(owner))
}

/** Counts a wrong code: audits it, tells the account at the fifth, and lets it wait from the tenth. */
export async function noteWrongFactor(
  context: Context,
  user: UserRecord,
  detail: Readonly<Record<string, string>>,
): Promise<void> {
  const { database, now, ip } = context
  const key = counterFor(toFactorOwner(user))
  const wrong = await increment(database, key, window, now())
  if (wrong >= waitAfter) await blockUntil(database, key, new Date(now().getTime() + window))
  if (wrong === tellAfter)
    await sendMessage(database.kysely, context, {
      tenant: user.tenant_id,
      receivers: [user.id],
      ...bothLanguages('factor.triedTitle', 'factor.triedContent', { n: wrong, ip }),
    })
  await auditAlone(context, toUserActor(context, user), {
    action: 'factor.check',
    result: 'failed',
    detail,
  })
}

/** A wrong code, with the step as long as it takes another one. */
export function wrongFactor({ token, triesLeft }: OpenStep, kinds: FactorStep['kinds']): Refusal {
  return triesLeft > 0
    ? new Refusal(400, { key: 'factor.wrong' }, { data: { factor: { token, kinds } } })
    : new Refusal(400, { key: 'factor.tooMany' })
}
