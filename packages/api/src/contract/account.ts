import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'

/** Accounts of others (docs/rules/security.md#threats P2, H9). */
export const account = {
  /** A new random password, told this once; it must be changed at the next sign-in. The person's sessions end. Never one's own. */
  resetPassword: endpoint({
    method: 'POST',
    path: '/account/{id}/password/reset',
    access: 'entity:SYS_USER:update',
    answer: v.object({ account: v.string(), name: v.string(), password: v.string() }),
  }),
} as const
