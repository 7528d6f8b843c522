import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { buttonAction } from '../entity/button.ts'

/** Custom buttons by their code (docs/spec/1-entity-console.md §3, docs/rules/contract.md#definitions). */
export const button = {
  /** What pressing it does: the declared actions, for the caller to carry out with calls that are each checked. @throws 404 no such button for the caller, 501 a button of kind 2 (SQL) */
  press: endpoint({
    method: 'POST',
    path: '/entity/{tag}/button/{code}',
    access: 'entity:{tag}:view',
    answer: v.object({ actions: v.array(buttonAction) }),
  }),
} as const
