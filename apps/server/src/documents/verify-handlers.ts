import { increment } from '../platform/limits/rate-limits.ts'
import type { ServerHandlers } from '../model/context.ts'
import { revokeDocument } from './index.ts'
import { verifyCode } from './verify.ts'
import { networkOf } from '../platform/requests/address.ts'
import { Refusal } from '../platform/refusal.ts'

const minute = 60_000
const checksAMinute = 20 // docs/rules/security.md#files

export const verifyHandlers: ServerHandlers['verify'] = {
  check: async ({ params }, context) => {
    const checks = await increment(
      context.database,
      `verify:${networkOf(context.ip)}`,
      minute,
      context.now(),
    )
    if (checks > checksAMinute)
      throw new Refusal(429, { key: 'problem.tooMany' }, { retryAfter: 60 })
    return await verifyCode(context, params.code)
  },
  revoke: async ({ body: { number, reason } }, context) => {
    const { revokedAt } = await revokeDocument(
      context,
      { tenant: context.subject.tenant, number, reason, by: context.subject.userId },
      (trx, objectId) =>
        context.audit(
          {
            action: 'document.revoke',
            object: 'document',
            objectId,
            result: 'ok',
            detail: { number, reason },
          },
          trx,
        ),
    )
    return { number, revokedAt: revokedAt ?? '' }
  },
}
