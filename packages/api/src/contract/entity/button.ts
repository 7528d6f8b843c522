import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { buttonAction } from '../../entity/definition/button.ts'

/**
 * Custom buttons, named by their code (docs/spec/1-entity-console.md §3,
 * docs/rules/contract.md#definitions).
 */
export const button = {
  /**
   * Answers the button's declared actions. The client carries them out with calls that are
   * authorised one by one.
   * @throws 404 when the caller has no such button, 501 for a button of kind 2 (SQL)
   */
  press: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/button/{code}',
    access: 'entity:{tag}:view',
    answer: v.object({ actions: v.array(buttonAction) }),
  }),
} as const
