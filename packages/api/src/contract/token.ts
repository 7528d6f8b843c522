import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { text } from './shapes.ts'

/**
 * Rights of a token on its entities: `write` adds and changes rows. `decide` gives no right on tables: an agent may
 * propose the decisions that flows leave to its person (docs/agents.md).
 */
export const tokenRights = ['read', 'write', 'delete', 'decide', 'export'] as const
export type TokenRight = (typeof tokenRights)[number]

/** Tokens start with it, so that programs that look for secrets in files find them. */
export const tokenPrefix = 'jat_'

const ownToken = v.object({
  id: v.string(),
  name: v.string(),
  entities: v.array(v.string()),
  rights: v.array(v.picklist(tokenRights)),
  /** Calls a second. */
  perSecond: v.number(),
  createTime: v.string(),
  expiresAt: v.string(),
  /** The time of the last call, at most 5 minutes late. */
  usedAt: v.nullable(v.string()),
  state: v.picklist(['active', 'expired', 'revoked']),
})
export type ApiToken = v.InferOutput<typeof ownToken>

/** The caller's tokens for programs (docs/rules/contract.md#api-tokens). */
export const apiToken = {
  /** Newest first. */
  list: endpoint({ method: 'GET', path: '/token', access: 'staff', answer: v.array(ownToken) }),
  /** Answers the token, once. @throws 403 without a fresh proof, or for more than the caller may */
  create: endpoint({
    method: 'POST',
    keyed: false,
    path: '/token',
    access: 'staff',
    fresh: true,
    body: v.strictObject({
      name: v.pipe(text, v.trim(), v.minLength(1), v.maxLength(64)),
      entities: v.pipe(v.array(text), v.minLength(1), v.maxLength(50)),
      rights: v.pipe(v.array(v.picklist(tokenRights)), v.minLength(1)),
      days: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(365)),
      /** Left out: as many as the server allows. */
      perSecond: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000))),
    }),
    answer: v.object({ id: v.string(), token: v.string() }),
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/token/{id}',
    access: 'staff',
    answer: v.object({ revoked: v.number() }),
  }),
} as const
