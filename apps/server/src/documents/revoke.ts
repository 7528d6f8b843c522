import type { Services } from '../model/context.ts'
import type { InTransaction } from '../platform/context.ts'
import { transact } from '../platform/database/transact.ts'
import { notFound, Refusal } from '../platform/refusal.ts'
import type { IssuedDocument } from './document.ts'

/** The document, the reason, and the id of the user who revokes it. */
export interface Revocation {
  readonly tenant: string
  readonly number: string
  readonly reason: string
  readonly by: string
}

/** Revokes a document permanently. @throws Refusal 404, or 409 when it is already revoked */
export async function revokeDocument(
  services: Services,
  { tenant, number, reason, by }: Revocation,
  record: (trx: InTransaction, id: string) => void = () => undefined,
): Promise<Pick<IssuedDocument, 'number' | 'revokedAt'>> {
  const {
    database: { kysely },
    now,
  } = services
  // A document of a case may not be drawn yet.
  const found = await kysely
    .selectFrom('sys.document')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('number', '=', number)
    .executeTakeFirst()
  if (found === undefined) throw notFound()
  const revokedAt = await transact(kysely, async (trx) => {
    const changed = await trx
      .updateTable('sys.document')
      .set({ revoked_at: now(), revoked_by: by, revoke_reason: reason })
      .where('tenant_id', '=', tenant)
      .where('id', '=', found.id)
      .where('revoked_at', 'is', null)
      .returning('revoked_at')
      .executeTakeFirst()
    if (changed === undefined) throw new Refusal(409, { key: 'document.revokedAlready' })
    record(trx, found.id)
    return changed.revoked_at
  })
  return { number, revokedAt }
}
