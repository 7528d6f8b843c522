import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'

const decided = v.object({
  id: v.string(),
  state: v.picklist(['APPROVED', 'REFUSED']),
  version: v.number(),
})
export type DecidedRegistration = v.InferOutput<typeof decided>

/** Requests of students to register with a mobile that is not on file (docs/rules/security.md#p2). */
export const registration = {
  /**
   * Approves or refuses a request of a student whom the caller may change. An approved mobile registers
   * within the days of the school.
   * @throws 409/40900 with the present state and version when it has changed, 409 when it is decided or over
   */
  decide: endpoint({
    method: 'POST',
    keyed: false,
    path: '/registration/{id}/decide',
    access: 'entity:EDU_STUDENT:update',
    body: v.strictObject({ version: v.pipe(v.number(), v.integer()), agree: v.boolean() }),
    answer: decided,
  }),
} as const
