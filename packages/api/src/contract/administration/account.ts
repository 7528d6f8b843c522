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
  /** The second factors of another account, and who has asked to remove them. */
  factors: endpoint({
    method: 'GET',
    path: '/account/{id}/factor',
    access: 'entity:SYS_USER:update',
    answer: v.object({
      account: v.string(),
      name: v.string(),
      count: v.number(),
      asked: v.nullable(v.object({ by: v.string(), at: v.string(), own: v.boolean() })),
    }),
  }),
  /**
   * Removes the second factors of another account, which gets a message, when two administrators ask for it
   * within a day: the first call notes the request, that of another person makes it. Its sessions end.
   * @throws 409 for the caller's own account, and for one without factors
   */
  resetFactors: endpoint({
    method: 'POST',
    keyed: false,
    path: '/account/{id}/factor/reset',
    access: 'entity:SYS_USER:update',
    fresh: true,
    answer: v.object({ account: v.string(), name: v.string(), isReset: v.boolean() }),
  }),
} as const
