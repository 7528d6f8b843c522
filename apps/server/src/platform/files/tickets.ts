import type { PlatformContext, PlatformServices } from '../context.ts'
import { hashOf, newTokenOf, schoolOfToken } from '../tokens.ts'
import { sql } from 'kysely'

const lifetime = 60_000 // docs/rules/contract.md#files
const maxUses = 3 // docs/rules/security.md#f6

/**
 * A ticket for the pictures of one row, because an image link must not carry a session token
 * (docs/rules/security.md#h5). `expires_in` is in seconds.
 */
export async function createTicket(
  { database: { kysely }, subject, now }: PlatformContext,
  bizType: string,
  bizId: string,
  attachment: string | null,
): Promise<{ ticket: string; expires_in: number }> {
  const ticket = newTokenOf(subject.tenant)
  await kysely
    .insertInto('sys.file_ticket')
    .values({
      ticket_hash: hashOf(ticket),
      tenant_id: subject.tenant,
      user_id: subject.userId,
      biz_type: bizType,
      biz_id: bizId,
      attachment_id: attachment,
      expires_at: new Date(now().getTime() + lifetime),
    })
    .execute()
  return { ticket, expires_in: lifetime / 1000 }
}

/** Uses a ticket once; undefined when it is unknown, expired or used up. */
export async function useTicket(
  { database: { kysely }, now }: PlatformServices,
  ticket: string,
  bizType: string,
  bizId: string,
) {
  const tenant = schoolOfToken(ticket)
  if (typeof tenant !== 'string') return undefined
  return await kysely
    .updateTable('sys.file_ticket')
    .set({ uses: sql`uses + 1` })
    .where('tenant_id', '=', tenant)
    .where('ticket_hash', '=', hashOf(ticket))
    .where('biz_type', '=', bizType)
    .where('biz_id', '=', bizId)
    .where('expires_at', '>', now().toISOString())
    .where('uses', '<', maxUses)
    .returning(['tenant_id', 'user_id', 'attachment_id'])
    .executeTakeFirst()
}
