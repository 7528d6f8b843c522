import { schoolTime } from '@jiaowu/api/formats'
import type { ApiToken, TokenRight } from '@jiaowu/api/contract/token'
import { may } from '@jiaowu/api/entity/permission'
import type { Context, ServerHandlers } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import { isId } from '../../platform/id.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'
import { hashOf } from '../../platform/tokens.ts'
import { createApiToken, listTokenCodes } from '../api-tokens.ts'

const day = 86_400_000
/** Tokens of one person that are neither over nor revoked. */
const mostTokens = 20

export const tokenHandlers: ServerHandlers['apiToken'] = {
  list: async (_input, context) => {
    const { database, subject } = context
    const rows = await database.kysely
      .selectFrom('sys.api_token')
      .selectAll()
      .where('tenant_id', '=', subject.tenant)
      .where('user_id', '=', subject.userId)
      .orderBy('id', 'desc')
      .limit(200)
      .execute()
    return rows.map((row): ApiToken => ({
      id: row.id,
      name: row.name,
      entities: row.entities,
      rights: row.rights as TokenRight[],
      perSecond: row.per_second,
      createTime: schoolTime(row.create_time),
      expiresAt: schoolTime(row.expires_at),
      usedAt: row.used_at === null ? null : schoolTime(row.used_at),
      state:
        row.revoked_at !== null
          ? 'revoked'
          : new Date(row.expires_at) <= context.now()
            ? 'expired'
            : 'active',
    }))
  },
  create: async ({ body: { name, entities, rights, days, perSecond } }, context) => {
    const { subject, settings, newId, now } = context
    const beyond = listTokenCodes(entities, rights).find((code) => !may(subject.permissions, code))
    if (beyond !== undefined)
      throw new Refusal(403, { key: 'token.beyond', params: { permission: beyond } })
    const [id, token, at] = [newId(), createApiToken(subject.tenant), now()]
    await transact(context.database.kysely, async (trx) => {
      await assertFew(context, trx)
      await trx
        .insertInto('sys.api_token')
        .values({
          tenant_id: subject.tenant,
          id,
          user_id: subject.userId,
          name,
          token_hash: hashOf(token),
          entities: [...new Set(entities)],
          rights: [...new Set(rights)],
          per_second: Math.min(perSecond ?? Infinity, settings.tokenCallsPerSecond),
          create_time: at,
          expires_at: new Date(at.getTime() + days * day),
        })
        .execute()
      const detail = { name, entities, rights, days }
      context.audit(
        { action: 'token.create', object: 'token', objectId: id, result: 'ok', detail },
        trx,
      )
    })
    return { id, token }
  },
  revoke: async ({ params: { id } }, context) => {
    const { database, subject, now } = context
    if (!isId(id)) throw notFound()
    await transact(database.kysely, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('sys.api_token')
        .set({ revoked_at: now() })
        .where('tenant_id', '=', subject.tenant)
        .where('user_id', '=', subject.userId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) throw notFound()
      context.audit({ action: 'token.revoke', object: 'token', objectId: id, result: 'ok' }, trx)
    })
    return { revoked: 1 }
  },
}

/** @throws Refusal 409 */
async function assertFew(
  { subject, now }: Context,
  trx: Context['database']['kysely'],
): Promise<void> {
  const { n } = await trx
    .selectFrom('sys.api_token')
    .select((e) => e.fn.countAll<string>().as('n'))
    .where('tenant_id', '=', subject.tenant)
    .where('user_id', '=', subject.userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now().toISOString())
    .executeTakeFirstOrThrow()
  if (Number(n) >= mostTokens)
    throw new Refusal(409, { key: 'token.tooMany', params: { n: mostTokens } })
}
