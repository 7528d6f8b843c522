// Identity providers of the schools: the file of SSO_FILE; a part of readSettings. Addresses come from here
// alone (docs/rules/security.md#i7).
import { readFileSync } from 'node:fs'
import { adminRole, defaultTenant } from '@jiaowu/api/limits'
import { parseJson } from '@jiaowu/api/exact-json'
import * as v from 'valibot'
import { isSealed } from '../keys/keys.ts'

/** Entries of the environment's schema. */
export const ssoEnvironment = {
  SSO_FILE: v.optional(
    v.pipe(
      v.string(),
      v.check((path) => !path.includes('\0'), 'SSO_FILE must be the path of a JSON file'),
    ),
  ),
}

const fileBytes = 256 * 1024
/** Words that follow `/auth/` in other calls. */
const reserved = ['providers', 'device', 'reauthenticate', 'factor', 'factors', 'totp', 'passkey']
const word = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200))
const label = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(50))
const address = v.pipe(
  v.string(),
  v.check(isSafeAddress, 'must be an https address (http only on this machine)'),
  v.transform((url) => url.replace(/\/+$/, '')),
)

const common = {
  id: v.pipe(
    v.string(),
    v.regex(/^[a-z][a-z\d-]{0,31}$/, 'must be lower-case letters, digits and dashes'),
    v.check((id) => !reserved.includes(id), 'is a word that the server uses itself'),
  ),
  tenant: v.optional(v.pipe(v.string(), v.regex(/^\d{1,18}$/)), defaultTenant),
  name: label,
  nameEn: label,
  /** What the claim is compared with; of students always the student number. */
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
const oidc = v.strictObject({
  ...common,
  kind: v.literal('oidc'),
  issuer: address,
  clientId: word,
  /** `env:NAME`, or what `sso seal` prints. */
  clientSecret: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (secret) => /^env:\w+$/.test(secret) || isSealed(secret),
        'must be env:NAME or what "npm run server -- sso seal" prints',
      ),
    ),
  ),
  clientAuth: v.optional(v.picklist(['basic', 'post'])),
  scopes: v.optional(v.array(v.pipe(v.string(), v.regex(/^[!#-[\]-~]+$/))), ['openid', 'profile']),
  claim: v.optional(word, 'preferred_username'),
})
const cas = v.strictObject({
  ...common,
  kind: v.literal('cas'),
  /** Above `/login` and `/p3/serviceValidate`. */
  server: address,
  claim: v.optional(word, 'user'),
})
const provider = v.variant('kind', [oidc, cas])
const file = v.strictObject({ providers: v.array(provider) })

export type OidcProvider = v.InferOutput<typeof oidc>
export type CasProvider = v.InferOutput<typeof cas>
export type SsoProvider = v.InferOutput<typeof provider>

export interface SsoSettings {
  readonly ssoProviders: readonly SsoProvider[]
}

/** @param refuse throws the error of settings with a sentence @throws what `refuse` throws */
export function ssoSettings(
  path: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  refuse: (sentence: string) => never,
): SsoSettings {
  if (path === undefined) return { ssoProviders: [] }
  const parsed = v.safeParse(file, readFile(path, refuse), { abortPipeEarly: true })
  if (!parsed.success) {
    const [issue] = parsed.issues
    return refuse(`SSO_FILE: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}.`)
  }
  const { providers } = parsed.output
  const problem = providers.map((one) => problemOf(one, providers, env)).find((text) => text !== '')
  if (problem !== undefined) return refuse(`SSO_FILE: ${problem}.`)
  return { ssoProviders: providers.map((one) => withSecret(one, env)) }
}

function readFile(path: string, refuse: (sentence: string) => never): unknown {
  try {
    const text = readFileSync(path, 'utf8')
    if (text.length > fileBytes) return refuse('SSO_FILE is larger than 256 KB.')
    return parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return refuse('SSO_FILE is not JSON.')
    if (error instanceof Error && 'code' in error)
      return refuse(`SSO_FILE cannot be read (${String(error.code)}).`)
    throw error
  }
}

/** What does not fit together in a provider; empty where all does. */
function problemOf(
  one: SsoProvider,
  all: readonly SsoProvider[],
  env: Readonly<Record<string, string | undefined>>,
): string {
  const { id, create, groups } = one
  const secret = one.kind === 'oidc' ? (one.clientSecret ?? '') : ''
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
  if (secret.startsWith('env:') && (env[secret.slice(4)] ?? '') === '')
    return `${id}: the variable ${secret.slice(4)} of its clientSecret is not set`
  if (one.kind === 'oidc' && !one.scopes.includes('openid')) return `${id}: scopes must name openid`
  return ''
}

function withSecret(
  one: SsoProvider,
  env: Readonly<Record<string, string | undefined>>,
): SsoProvider {
  if (one.kind !== 'oidc') return one
  const { clientSecret } = one
  return clientSecret?.startsWith('env:') === true
    ? { ...one, clientSecret: env[clientSecret.slice(4)] ?? '' }
    : one
}

/** https, or http on this machine, without a query, a fragment or a name. */
function isSafeAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '') return false
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere)
}
