import type { Context, ServerHandlers } from '../model/context.ts'
import { increment } from '../platform/limits/rate-limits.ts'
import { Refusal } from '../platform/refusal.ts'
import { checkProviders, sendTestSms } from './check-providers.ts'

const minute = 60_000

export const providerHandlers: ServerHandlers['provider'] = {
  check: async (_input, context) => {
    await limit(context, 'check', 10)
    return await checkProviders(context, context.locale)
  },
  testSms: async ({ body: { mobile } }, context) => {
    await limit(context, 'sms', 1)
    const sent = await sendTestSms(context, mobile, context.locale)
    await context.auditAlone({
      action: 'provider.smsTest',
      object: 'SYS_SMS_TASK',
      objectId: sent.provider,
      result: sent.ok ? 'ok' : 'failed',
    })
    return sent
  },
}

/** @throws Refusal 429 */
async function limit(
  { database, subject, now }: Context,
  what: string,
  mostAMinute: number,
): Promise<void> {
  const calls = await increment(database, `provider:${what}:${subject.userId}`, minute, now())
  if (calls > mostAMinute) throw new Refusal(429, { key: 'problem.tooMany' }, { retryAfter: 60 })
}
