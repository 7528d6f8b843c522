import * as v from 'valibot'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { text } from './shapes.ts'

/** The signed-in user (docs/rules/contract.md#sessions). */
const userInfo = v.object({
  id: v.string(),
  account: v.string(),
  name: v.string(),
  roles: v.array(v.string()),
  mustChangePassword: v.boolean(),
  tenant: v.string(),
  org: v.optional(v.nullable(v.object({ id: v.string(), name: v.string() })), null),
  /** The row that the account belongs to, such as a teacher; `user.person` of conditions. */
  person: v.exactOptional(v.nullable(v.object({ tag: v.string(), id: v.string() }))),
  /** A second factor is demanded and there is none: only the way to one is open (docs/rules/security.md#s10). */
  mustEnrolFactor: v.exactOptional(v.boolean()),
  /** Characters that a new password needs; `whoami` of staff alone. */
  passwordLength: v.exactOptional(v.number()),
  /** The version of the server's program; `whoami` of staff alone (docs/rules/security.md#c7). */
  version: v.exactOptional(v.string()),
})
export type UserInfo = v.InferOutput<typeof userInfo>

/** `expires_in` in seconds. */
export const tokens = v.object({
  access_token: v.string(),
  refresh_token: v.string(),
  expires_in: v.number(),
  token_type: v.string(),
  userInfo,
})
export type Tokens = v.InferOutput<typeof tokens>

const waitKey = v.pipe(v.string(), v.regex(/^[\w-]{16,64}$/))

const passwordGrant = v.strictObject({
  grant_type: v.literal('password'),
  username: text,
  password: text,
  tenant: v.optional(text),
  /**
   * The directory of kind `ldap` that knows the password; its school counts instead of `tenant`.
   */
  provider: v.optional(text),
  scope: v.optional(text),
  /**
   * Answer to the picture captcha, required after 5 failed attempts
   * (docs/rules/contract.md#student-service).
   */
  captchaKey: v.optional(text),
  captcha: v.optional(text),
  /** Made up by the caller, who asks by it for the place in the queue. */
  waitKey: v.optional(waitKey),
})
const refreshGrant = v.strictObject({ grant_type: v.literal('refresh_token'), refresh_token: text })

/**
 * A node of the menu. `path` is a route of the console; `roles` restrict who sees the node
 * (docs/spec/1-entity-console.md §2).
 */
export interface MenuNode {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly icon: string | null
  readonly tag: string | null
  readonly hidden: boolean
  readonly meta: {
    readonly title: string
    readonly roles: readonly string[]
    readonly openType?: string
  }
  readonly children: readonly MenuNode[]
}
const menuNode: v.GenericSchema<unknown, MenuNode> = v.object({
  id: v.string(),
  name: v.string(),
  path: v.string(),
  icon: v.nullable(v.string()),
  tag: v.nullable(v.string()),
  hidden: v.boolean(),
  meta: v.object({
    title: v.string(),
    roles: v.array(v.string()),
    openType: v.exactOptional(v.string()),
  }),
  children: v.array(v.lazy(() => menuNode)),
})

/** Sessions of staff (docs/rules/contract.md#sessions). Both grants share one path, as in OAuth. */
export const session = {
  signIn: endpoint({
    method: 'POST',
    keyed: false,
    path: '/authority/anno/login',
    access: 'public',
    bodyKind: 'form',
    flat: true,
    body: v.variant('grant_type', [passwordGrant, refreshGrant]),
    answer: tokens,
  }),
  /**
   * A captcha picture as PNG. `key` comes from the server (`data.captchaKey` of a refused sign-in)
   * or is a new one made by the caller.
   */
  captcha: fileEndpoint({
    method: 'GET',
    path: '/captcha',
    access: 'public',
    query: v.strictObject({ key: v.pipe(v.string(), v.regex(/^[\w-]{16,64}$/)) }),
  }),
  /** The place of a sign-in among those that wait for their turn; null: it does not wait here. */
  queue: endpoint({
    method: 'GET',
    path: '/authority/anno/queue',
    access: 'public',
    query: v.strictObject({ key: waitKey }),
    answer: v.nullable(v.object({ before: v.number(), seconds: v.number() })),
  }),
  signOut: endpoint({
    method: 'POST',
    keyed: false,
    path: '/authority/logout',
    access: 'signed',
    answer: v.null(),
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/authority/password',
    access: 'staff',
    body: v.strictObject({ oldPassword: text, newPassword: text }),
    answer: v.null(),
  }),
  whoami: endpoint({
    method: 'GET',
    path: '/authority/whoami',
    access: 'signed',
    answer: userInfo,
  }),
  menu: endpoint({
    method: 'GET',
    path: '/menu/router',
    access: 'signed',
    answer: v.array(menuNode),
  }),
  resources: endpoint({
    method: 'GET',
    path: '/resource/visible',
    access: 'signed',
    answer: v.array(v.object({ code: v.string() })),
  }),
  generateId: endpoint({
    method: 'GET',
    path: '/authority/common/generateId',
    access: 'signed',
    answer: v.string(),
  }),
} as const
