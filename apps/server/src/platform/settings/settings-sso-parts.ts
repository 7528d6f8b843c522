// Settings that the kinds of identity providers in SSO_FILE share.
import { adminRole, defaultTenant } from '@jiaowu/api/limits'
import * as v from 'valibot'
import { isSealed } from '../keys/keys.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** Words that follow `/auth/` in other calls. */
const reserved = ['providers', 'device', 'reauthenticate', 'factor', 'factors', 'totp', 'passkey']
export const word = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200))
const label = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(50))

export const common = {
  id: v.pipe(
    v.string(),
    v.regex(/^[a-z][a-z\d-]{0,31}$/, 'must be lower-case letters, digits and dashes'),
    v.check((id) => !reserved.includes(id), 'is a word that the server uses itself'),
  ),
  tenant: v.optional(v.pipe(v.string(), v.regex(/^\d{1,18}$/)), defaultTenant),
  name: label,
  nameEn: label,
  /** The column that the claim is compared with; of students always the student number. */
  match: v.optional(v.picklist(['account', 'teacherNumber']), 'account'),
  /** Makes an account for persons without one, with this role. */
  create: v.optional(v.strictObject({ role: word })),
  groups: v.optional(
    v.strictObject({
      claim: word,
      /** By group: codes of roles. */
      roles: v.record(v.string(), v.array(word)),
      /** Lets groups give and take the role of administrators. */
      administrators: v.optional(v.boolean(), false),
    }),
  ),
  for: v.optional(v.picklist(['staff', 'students']), 'staff'),
}
const commonObject = v.strictObject(common)
type Common = v.InferOutput<typeof commonObject>

/**
 * Finds settings that do not fit together in the part that all kinds have; empty where all does.
 */
export function commonProblem(one: Common, all: readonly Common[]): string {
  const { id, create, groups } = one
  if (all.filter((other) => other.id === id).length > 1) return `two providers are called ${id}`
  if (one.for === 'students' && (create !== undefined || groups !== undefined))
    return `${id}: students are neither created nor given roles`
  if (create?.role === adminRole) return `${id}: create.role must not be ${adminRole}`
  if (
    groups !== undefined &&
    !groups.administrators &&
    Object.values(groups.roles).some((codes) => codes.includes(adminRole))
  )
    return `${id}: groups.roles names ${adminRole}, which needs groups.administrators`
  return ''
}

/** `env:NAME`, or what `sso seal` prints. */
export const secret = v.pipe(
  v.string(),
  v.check(
    (text) => /^env:\w+$/.test(text) || isSealed(text),
    'must be env:NAME or what "npm run server -- sso seal" prints',
  ),
)

const readVariableName = (text: string | undefined) =>
  text?.startsWith('env:') === true ? text.slice(4) : null

/** Whether a secret names a variable that is not set; empty where all is well. */
export function secretProblem(field: string, text: string | undefined, env: Env): string {
  const name = readVariableName(text)
  return name !== null && (env[name] ?? '') === ''
    ? `the variable ${name} of its ${field} is not set`
    : ''
}

/** A secret with the value of its variable; sealed ones stay sealed until they are used. */
export function resolveSecret(text: string, env: Env): string {
  const name = readVariableName(text)
  return name === null ? text : (env[name] ?? '')
}

export function isHere(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
