import * as v from 'valibot'

/** Header with the solution of a captcha's work, `COUNTER.KEY` (docs/rules/contract.md#student-service). */
export const captchaWorkHeader = 'x-captcha-work'

/**
 * Proof of work for an answer to a captcha (docs/rules/security.md#h1), a challenge of ALTCHA: the counter
 * whose key, derived by PBKDF2 from the nonce and the counter, begins with the prefix.
 */
export const captchaWork = v.object({
  parameters: v.object({
    algorithm: v.string(),
    nonce: v.string(),
    salt: v.string(),
    cost: v.number(),
    keyLength: v.number(),
    keyPrefix: v.string(),
  }),
})
export type CaptchaWork = v.InferOutput<typeof captchaWork>
