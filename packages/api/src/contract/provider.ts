import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'

const providerCheck = v.object({
  /** `wechat`, `aliyun`, `tencent`, or the stand-ins `sandbox` and `outbox`. */
  provider: v.string(),
  operation: v.string(),
  ok: v.boolean(),
  /** The finding, in the caller's language. */
  text: v.string(),
})
export type ProviderCheck = v.InferOutput<typeof providerCheck>

/** The accounts at the payment and SMS providers, for those who run the server. */
export const provider = {
  /** Tries the accounts without a charge. */
  check: endpoint({
    method: 'POST',
    keyed: false,
    path: '/provider/check',
    access: 'tenant:manage',
    answer: v.array(providerCheck),
    timeout: 60_000,
  }),
  /** Sends one message to a number; once a minute. */
  testSms: endpoint({
    method: 'POST',
    keyed: false,
    path: '/provider/sms/test',
    access: 'tenant:manage',
    body: v.strictObject({ mobile: v.pipe(v.string(), v.regex(/^1\d{10}$/)) }),
    answer: providerCheck,
    timeout: 60_000,
  }),
} as const
