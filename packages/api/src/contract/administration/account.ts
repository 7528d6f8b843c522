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
    fresh: true,
    answer: v.object({ account: v.string(), name: v.string(), password: v.string() }),
  }),
  /**
   * Ends all sessions of another account of the school, which gets a message. Answers how many ended.
   * @throws 409 for the caller's own account
   */
  endSessions: endpoint({
    method: 'DELETE',
    path: '/account/{id}/session',
    access: 'entity:SYS_USER:update',
    answer: v.object({ account: v.string(), name: v.string(), ended: v.number() }),
  }),
} as const
