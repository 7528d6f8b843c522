import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'

/** The number by which staff choose their tenant when they sign in. */
export const tenantCodePattern = /^[1-9]\d{4,8}$/
const tenant = v.object({
  id: v.string(),
  name: v.string(),
  enabled: v.boolean(),
  remarks: v.nullable(v.string()),
  staff: v.number(),
  createTime: v.string(),
  /** Whether it is the caller's own tenant. */
  own: v.boolean(),
})
/** A tenant (school) of this installation. */
export type TenantInfo = v.InferOutput<typeof tenant>
const oneTime = v.object({ account: v.string(), password: v.string() })
const name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100))

/**
 * Tenants of the installation, for administrators of its first tenant only
 * (docs/rules/security.md#permissions, PLATFORM). Answers nothing of a tenant's data but the number
 * of its staff.
 */
export const tenants = {
  list: endpoint({
    method: 'GET',
    path: '/tenant',
    access: 'tenant:manage',
    answer: v.array(tenant),
  }),
  /**
   * Creates a tenant with its initial data, and answers the one-time password of its administrator.
   */
  create: endpoint({
    method: 'POST',
    keyed: true,
    path: '/tenant',
    access: 'tenant:manage',
    body: v.strictObject({ code: v.pipe(v.string(), v.regex(tenantCodePattern)), name }),
    answer: oneTime,
  }),
  /** Disabling a tenant ends all its sessions. */
  enable: endpoint({
    method: 'POST',
    keyed: false,
    path: '/tenant/{id}/enable',
    access: 'tenant:manage',
    body: v.strictObject({ enabled: v.boolean() }),
    answer: v.null(),
  }),
  /** For a tenant whose administrators cannot sign in. */
  resetAdministrator: endpoint({
    method: 'POST',
    keyed: false,
    path: '/tenant/{id}/administrator',
    access: 'tenant:manage',
    fresh: true,
    answer: oneTime,
  }),
} as const
