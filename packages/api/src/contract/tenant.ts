import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'

/** What staff type to sign in to a school: its number. */
export const tenantCodePattern = /^[1-9]\d{4,8}$/
const tenant = v.object({
  id: v.string(),
  name: v.string(),
  enabled: v.boolean(),
  remarks: v.nullable(v.string()),
  staff: v.number(),
  createTime: v.string(),
  /** The caller's own. */ own: v.boolean(),
})
/** A school on this installation. */
export type TenantInfo = v.InferOutput<typeof tenant>
const oneTime = v.object({ account: v.string(), password: v.string() })
const name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100))

/** Schools of the installation: for administrators of its first school only (docs/rules/security.md#permissions, PLATFORM). Nothing of a school's data is told but how many staff it has. */
export const tenants = {
  list: endpoint({
    method: 'GET',
    path: '/tenant',
    access: 'tenant:manage',
    answer: v.array(tenant),
  }),
  /** A school with all it needs on its first day, and its administrator's one-time password. */
  create: endpoint({
    method: 'POST',
    path: '/tenant',
    access: 'tenant:manage',
    body: v.strictObject({ code: v.pipe(v.string(), v.regex(tenantCodePattern)), name }),
    answer: oneTime,
  }),
  /** Whoever works there is signed out at once. */
  enable: endpoint({
    method: 'POST',
    path: '/tenant/{id}/enable',
    access: 'tenant:manage',
    body: v.strictObject({ enabled: v.boolean() }),
    answer: v.null(),
  }),
  /** For a school whose administrators are locked out. */
  resetAdministrator: endpoint({
    method: 'POST',
    path: '/tenant/{id}/administrator',
    access: 'tenant:manage',
    answer: oneTime,
  }),
} as const
