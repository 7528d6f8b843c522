import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'

/** Calls on other users' accounts (docs/rules/security.md#threats P2, H9). */
export const account = {
  /**
   * Answers a new random password, which cannot be read again. The user must change it at the next
   * sign-in, and their sessions end.
   * @throws 409 for the caller's own account
   */
  resetPassword: endpoint({
    method: 'POST',
    keyed: false,
    path: '/account/{id}/password/reset',
    access: 'entity:SYS_USER:update',
    answer: v.object({ account: v.string(), name: v.string(), password: v.string() }),
  }),
} as const
