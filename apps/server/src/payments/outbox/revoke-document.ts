import { t } from '@jiaowu/api/texts/index'
import type { Services } from '../../model/context.ts'
import { documentOfOrder, revokeDocument } from '../../documents/index.ts'
import { auditPay } from '../settle-payment.ts'
import { type EntryRun, selectEntryOrder } from './order-of-entry.ts'
import { completeEntry } from './outbox.ts'

/** Revokes the document of a refunded order. */
export async function revokeOrderDocument(
  services: Services,
  { lease, job }: EntryRun,
): Promise<void> {
  const order = await selectEntryOrder(services, job)
  const refund = await services.database.kysely
    .selectFrom('sys.refund')
    .select('approved_by')
    .where('tenant_id', '=', order.tenant_id)
    .where('order_id', '=', order.id)
    .where('approved_by', 'is not', null)
    .executeTakeFirst()
  const document = await documentOfOrder(services, order.tenant_id, order.order_no)
  if (document !== null && document !== undefined && document.revokedAt === null)
    await revokeDocument(
      services,
      {
        tenant: order.tenant_id,
        number: document.number,
        reason: t('zh-CN', 'order.refunded'),
        by: refund?.approved_by ?? '0',
      },
      (trx, objectId) =>
        auditPay(services, trx, order.tenant_id, {
          action: 'document.revoke',
          object: 'document',
          objectId,
          result: 'ok',
          detail: { number: document.number },
        }),
    )
  await completeEntry(services.database.kysely, services, lease)
}
