import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { tokens } from './session.ts'
import { text } from './shapes.ts'

const shownCode = v.strictObject({ userCode: text })

/** Times in seconds. */
const codes = v.object({
  deviceCode: v.string(),
  userCode: v.string(),
  /** Below the address of the server. */
  verificationPath: v.string(),
  expiresIn: v.number(),
  interval: v.number(),
})

/**
 * Sign-in of a device without a browser by one with a browser (RFC 8628, docs/rules/security.md#s7): the
 * device shows `userCode`, the person types it at `verificationPath`, and the device polls meanwhile.
 */
export const device = {
  start: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/device/start',
    access: 'public',
    answer: codes,
  }),
  /**
   * Polls for the sign-in that follows once the person has agreed.
   * @throws 400 with `data.error` of RFC 8628: `authorization_pending` (40020), `slow_down` (40021),
   *   `expired_token` (40022) or `access_denied` (40023)
   */
  poll: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/device/poll',
    access: 'public',
    body: v.strictObject({ deviceCode: text }),
    answer: tokens,
  }),
  /** The same for a session of a device that is to prove who its person is; only that person may agree. */
  startProof: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/device/proof/start',
    access: 'staff',
    answer: codes,
  }),
  /** The answer of `reauthentication.prove`, once the person has agreed. @throws 400 as `poll` */
  pollProof: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/device/proof/poll',
    access: 'staff',
    body: v.strictObject({ deviceCode: text }),
    answer: v.object({ token: v.string(), expiresIn: v.number() }),
  }),
  /**
   * Which device shows a code, to the person who typed it.
   * @throws 404 for a code that is unknown, over or decided; 429
   */
  look: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/device/look',
    access: 'staff',
    body: shownCode,
    answer: v.object({
      device: v.nullable(v.string()),
      address: v.nullable(v.string()),
      began: v.string(),
      /** Whether the device calls from the address of this browser. */
      sameAddress: v.boolean(),
      /** Whether it is signed in and asks for a proof of who its person is. */
      proves: v.boolean(),
    }),
  }),
  /** Lets the device sign in as the caller, or refuses it. Agreeing needs a fresh proof. */
  decide: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/device/decide',
    access: 'staff',
    fresh: 'depends',
    body: v.strictObject({ ...shownCode.entries, agree: v.boolean() }),
    answer: v.null(),
  }),
} as const
