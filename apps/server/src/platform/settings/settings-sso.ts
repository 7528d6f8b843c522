// Identity providers of the schools: the file of SSO_FILE; a part of readSettings. Addresses come from here
// alone (docs/rules/security.md#i7).
import { readFileSync } from 'node:fs'
import { parseJson } from '@jiaowu/api/exact-json'
import * as v from 'valibot'
import {
  directory,
  directoryProblem,
  type DirectoryProvider,
  loadedDirectory,
} from './settings-directory.ts'
import {
  common,
  commonProblem,
  type Env,
  isHere,
  secret,
  resolveSecret,
  secretProblem,
  word,
} from './settings-sso-parts.ts'

export type { DirectoryProvider } from './settings-directory.ts'

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
const address = v.pipe(
  v.string(),
  v.check(isSafeAddress, 'must be an https address (http only on this machine)'),
  v.transform((url) => url.replace(/\/+$/, '')),
)

const oidc = v.strictObject({
  ...common,
  kind: v.literal('oidc'),
  issuer: address,
  clientId: word,
  clientSecret: v.optional(secret),
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
const provider = v.variant('kind', [oidc, cas, directory])
const file = v.strictObject({ providers: v.array(provider) })

export type OidcProvider = v.InferOutput<typeof oidc>
export type CasProvider = v.InferOutput<typeof cas>
/** A provider that a browser is sent to. */
export type BrowserProvider = OidcProvider | CasProvider
export type SsoProvider = BrowserProvider | DirectoryProvider

export interface SsoSettings {
  /** Replaced as a whole when the file is read again. */
  ssoProviders: readonly SsoProvider[]
}

/** @param refuse throws the error of settings with a sentence @throws what `refuse` throws */
export function ssoSettings(
  path: string | undefined,
  env: Env,
  refuse: (sentence: string) => never,
): SsoSettings {
  if (path === undefined) return { ssoProviders: [] }
  const parsed = v.safeParse(file, readFile(path, refuse), { abortPipeEarly: true })
  if (!parsed.success) {
    const [issue] = parsed.issues
    return refuse(`SSO_FILE: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}.`)
  }
  const { providers } = parsed.output
  const problem = providers
    .map((one) => findProviderProblem(one, providers, env))
    .find((text) => text !== '')
  if (problem !== undefined) return refuse(`SSO_FILE: ${problem}.`)
  return { ssoProviders: providers.map((one) => loadFile(one, env)) }
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

/** Finds settings of a provider that do not fit together; empty where all does. */
function findProviderProblem(one: SsoProvider, all: readonly SsoProvider[], env: Env): string {
  const shared = commonProblem(one, all)
  if (shared !== '') return shared
  if (one.kind === 'ldap') return directoryProblem(one, env)
  if (one.kind === 'cas') return ''
  const unset = secretProblem('clientSecret', one.clientSecret, env)
  if (unset !== '') return `${one.id}: ${unset}`
  return one.scopes.includes('openid') ? '' : `${one.id}: scopes must name openid`
}

function loadFile(one: SsoProvider, env: Env): SsoProvider {
  if (one.kind === 'ldap') return loadedDirectory(one, env)
  if (one.kind === 'cas' || one.clientSecret === undefined) return one
  return { ...one, clientSecret: resolveSecret(one.clientSecret, env) }
}

/** https, or http on this machine, without a query, a fragment or a name. */
function isSafeAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere(url.hostname))
}
