// The sessions of a person as the person sees and ends them (docs/rules/contract.md#sessions).
import type { OwnSession } from '@jiaowu/api/contract/own-session'
import { sql } from 'kysely'
import type { Context, Services } from '../model/context.ts'
import type { Subject } from '../platform/context.ts'
import { deviceName } from './device-name.ts'
import type { EndReason } from './sessions.ts'

type Db = Services['database']['kysely']

/** Milliseconds by which the time of the last use may be late, because writing it costs a statement. */
const useStep = 5 * 60_000

/** A session whose last use is noted. */
export interface UsedSession {
  readonly tenant_id: string
  readonly family_id: string
  readonly used_at: string | null
}

/**
 * Notes that a session is used, unless that was noted less than 5 minutes ago. A call does not fail
 * because of it.
 */
export async function noteUse(
  { database: { kysely }, now, log }: Services,
  { tenant_id, family_id, used_at }: UsedSession,
): Promise<void> {
  const at = now()
  if (used_at !== null && at.getTime() - new Date(used_at).getTime() < useStep) return
  try {
    await kysely
      .updateTable('sys.session')
      .set({ used_at: at })
      .where('tenant_id', '=', tenant_id)
      .where('family_id', '=', family_id)
      .where('ended_at', 'is', null)
      .execute()
  } catch (error) {
    log.warn({ err: error }, 'the use of a session could not be noted')
  }
}

/** The live sessions of a person: of each the row whose refresh token is still good. */
function liveSessions(
  db: Db,
  { now }: Pick<Services, 'now'>,
  { tenant, userId, kind }: Pick<Subject, 'tenant' | 'userId' | 'kind'>,
) {
  return db
    .selectFrom('sys.session')
    .where('tenant_id', '=', tenant)
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .where('refresh_used_at', 'is', null)
    .where('refresh_expires_at', '>', now().toISOString())
}

export async function readOwnSessions(context: Context): Promise<OwnSession[]> {
  const { database, subject } = context
  const current = await readFamily(context)
  const rows = await liveSessions(database.kysely, context, subject)
    .select(['family_id', 'kind', 'ip', 'user_agent', 'proof_by', 'create_time'])
    .select(['began_at', 'used_at', 'absolute_expires_at'])
    .orderBy(sql`family_id = ${current}::int8`, 'desc')
    .orderBy('used_at', (order) => order.desc().nullsLast())
    .execute()
  const at = (time: Date | string) => new Date(time).toISOString()
  return rows.map((row) => ({
    id: row.family_id,
    device: deviceName(row.user_agent),
    address: row.ip,
    kind: row.kind,
    by: row.proof_by,
    began: at(row.began_at ?? row.create_time),
    lastUse: at(row.used_at ?? row.create_time),
    expires: at(row.absolute_expires_at),
    current: row.family_id === current,
  }))
}

/** The family of the session that the call was made with. */
export async function readFamily({ database: { kysely }, subject }: Context): Promise<string> {
  return (
    await kysely
      .selectFrom('sys.session')
      .select('family_id')
      .where('tenant_id', '=', subject.tenant)
      .where('id', '=', subject.sessionId)
      .executeTakeFirstOrThrow()
  ).family_id
}

/**
 * Ends live sessions of a person, with all their tokens; a call with one of these is refused with the reason.
 * @param which of them, by the id of the family
 * @returns the ids of those that ended
 */
export async function endSessions(
  trx: Db,
  services: Services,
  owner: Pick<Subject, 'tenant' | 'userId' | 'kind'>,
  reason: EndReason,
  which: { readonly only?: string; readonly except?: string } = {},
): Promise<string[]> {
  const { only, except } = which
  const found = await liveSessions(trx, services, owner)
    .select('family_id')
    .$if(only !== undefined, (query) => query.where('family_id', '=', only ?? ''))
    .$if(except !== undefined, (query) => query.where('family_id', '!=', except ?? ''))
    .orderBy('family_id')
    .execute()
  const families = [...new Set(found.map(({ family_id }) => family_id))]
  if (families.length === 0) return []
  await trx
    .updateTable('sys.session')
    .set({ ended_at: services.now(), ended_reason: reason })
    .where('tenant_id', '=', owner.tenant)
    .where('family_id', 'in', families)
    .where('ended_at', 'is', null)
    .execute()
  return families
}
