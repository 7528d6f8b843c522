import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { text } from './shapes.ts'

/** Fresh proofs of who the caller is (docs/rules/security.md#s6). */
export const reauthentication = {
  /**
   * Proves by the password of the account, or by a code of its TOTP, that the caller is the person who signed
   * in. The token is sent with the call that asked for a proof, as header `X-Reauth`: once, within `expiresIn`
   * seconds, in this session.
   * @throws 400 for a wrong password, with `data.captchaKey` where the next try needs a captcha
   */
  prove: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/reauthenticate',
    access: 'staff',
    body: v.union([
      v.strictObject({
        password: text,
        captchaKey: v.optional(text),
        captcha: v.optional(text),
      }),
      v.strictObject({ code: text }),
    ]),
    answer: v.object({ token: v.string(), expiresIn: v.number() }),
  }),
} as const
