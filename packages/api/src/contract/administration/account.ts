import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { values } from '../shapes.ts'

const handedOver = v.object({
  account: v.string(),
  name: v.string(),
  /** Tasks that were handed over; with `preview` those that would be. */
  done: v.number(),
  /** Open steps that wait for a role of the account, which others decide. */
  shared: v.number(),
  results: v.array(
    v.object({
      tag: v.string(),
      name: v.string(),
      id: v.string(),
      path: v.string(),
      /** Name of the step; null for a task that was not handed over, for the reason in `msg`. */
      step: v.nullable(v.string()),
      ok: v.boolean(),
      msg: v.nullable(v.string()),
    }),
  ),
})
export type TodosHandedOver = v.InferOutput<typeof handedOver>

const newAccount = v.object({
  /** Place in the request, from 0. */
  index: v.number(),
  account: v.string(),
  id: v.nullable(v.string()),
  /** One-time; null where no account was made, for the reasons in `issues`. */
  password: v.nullable(v.string()),
  issues: v.array(v.object({ path: v.string(), rule: v.string(), msg: v.string() })),
})
export type NewAccount = v.InferOutput<typeof newAccount>

/** Calls on other users' accounts (docs/rules/security.md#threats P2, H9). */
export const account = {
  /**
   * Makes accounts as `POST /entity/SYS_USER/data` does, each in a transaction of its own, with one-time passwords that
   * cannot be read again. Their users must change them at the first sign-in. It takes no `Idempotency-Key`, because
   * answers to keys are stored: when the answer is lost, the accounts exist and their passwords are reset.
   */
  createMany: endpoint({
    method: 'POST',
    keyed: false,
    path: '/account',
    access: 'entity:SYS_USER:add',
    fresh: true,
    body: v.strictObject({
      accounts: v.pipe(v.array(values), v.minLength(1), v.maxLength(limits.newAccounts)),
    }),
    answer: v.array(newAccount),
    timeout: limits.transferTimeout,
  }),
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
  /**
   * Hands the open to-dos that name a leaving person over to another. Each is a transaction: one that is
   * refused stops no other. @throws 409 for the caller's own account
   */
  handOver: endpoint({
    method: 'POST',
    keyed: true,
    path: '/account/{id}/todo/hand-over',
    access: 'entity:SYS_USER:update',
    body: v.strictObject({
      to: v.string(),
      note: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(2000)))),
      preview: v.optional(v.boolean(), false),
    }),
    answer: handedOver,
    timeout: limits.transferTimeout,
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
