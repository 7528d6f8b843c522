import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'

/** One sign-in of the caller, with all tokens that followed from it. Times as ISO 8601. */
const ownSession = v.object({
  id: v.string(),
  /** Program and system in words, such as `Chrome 131 · Windows`; null where the program did not say. */
  device: v.nullable(v.string()),
  address: v.nullable(v.string()),
  kind: v.picklist(['staff', 'student']),
  /** How the person proved who they are: `password`, `sms`, or another way of sign-in. */
  by: v.nullable(v.string()),
  began: v.string(),
  /** The time of the last call, at most 5 minutes late. */
  lastUse: v.string(),
  /** When it ends at the latest, used or not. */
  expires: v.string(),
  /** Whether this call was made with it. */
  current: v.boolean(),
})
export type OwnSession = v.InferOutput<typeof ownSession>

/** The sessions of the caller (docs/rules/contract.md#sessions), for staff and students. */
export const ownSessions = {
  /** The current one first, then the one used last. */
  list: endpoint({
    method: 'GET',
    path: '/session',
    access: 'signed',
    answer: v.array(ownSession),
  }),
  /**
   * Ends a session of the caller, whose next call is refused; with the id `others` all but the current one.
   * Answers the ids of those that ended.
   * @throws 404 for a session that is over, unknown, or another person's
   */
  end: endpoint({
    method: 'DELETE',
    path: '/session/{id}',
    access: 'signed',
    answer: v.object({ ended: v.array(v.string()) }),
  }),
} as const
