// Directories of the schools in SSO_FILE: providers of kind `ldap` (docs/rules/security.md#s9).
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { FilterParser } from 'ldapts'
import * as v from 'valibot'
import {
  common,
  type Env,
  isHere,
  secret,
  resolveSecret,
  secretProblem,
} from './settings-sso-parts.ts'

/** Stands in a filter for the name that a person types. */
export const nameInFilter = '{name}'
/** Stands in the filter of groups for the distinguished name of the person. */
export const personInFilter = '{dn}'
const attribute = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z\d-]*$/i, 'must be the name of an attribute'),
  v.maxLength(100),
)
const dn = v.pipe(
  v.string(),
  v.maxLength(1000),
  v.regex(/^[^=\0]+=[^\0]*$/, 'must be a name in the directory, such as ou=people,dc=example'),
)
/** Active Directory also takes an address, or DOMAIN\name (MS-ADTS §5.1.1.1.1). */
const account = v.union(
  [
    dn,
    v.pipe(v.string(), v.maxLength(1000), v.regex(/^[^@\s\0]+@[^@\s\0]+$/)),
    v.pipe(v.string(), v.maxLength(1000), v.regex(/^[\w.-]+\\[^\\\0]+$/)),
  ],
  'must be a name in the directory, such as cn=reader,dc=example, or reader@example.edu.cn of an Active Directory',
)
const address = v.pipe(
  v.string(),
  v.check(isDirectoryAddress, 'must be ldaps://HOST or ldap://HOST, with a port at most'),
)

export const directory = v.strictObject({
  ...common,
  kind: v.literal('ldap'),
  /** Tried in this order. */
  url: v.pipe(
    v.union([address, v.array(address)], 'must be an address of ldaps or ldap, or a list of them'),
    v.transform((url) => (typeof url === 'string' ? [url] : url)),
    v.minLength(1, 'must name a server'),
    v.maxLength(5, 'must name at most 5 servers'),
  ),
  startTls: v.optional(v.boolean(), false),
  /** Certificates that sign those of the servers; left out: those that Node knows. */
  caFile: v.optional(
    v.pipe(
      v.string(),
      v.check((path) => !path.includes('\0')),
    ),
  ),
  base: dn,
  filter: filterWith(nameInFilter, '(uid={name})'),
  scope: v.optional(v.picklist(['sub', 'one']), 'sub'),
  /** The account that searches; left out: the search is anonymous. */
  bindDn: v.optional(account),
  bindPassword: v.optional(secret),
  claim: v.optional(attribute, 'uid'),
  nameAttribute: v.optional(attribute, 'cn'),
  groups: v.optional(
    v.strictObject({
      ...v.unwrap(common.groups).entries,
      claim: attribute,
      /** Finds groups of a person that the claim does not tell, such as groups within groups. */
      filter: v.optional(filterWith(personInFilter, '(member={dn})')),
      /** Where groups are searched; left out: where persons are. */
      base: v.optional(dn),
    }),
  ),
})

export type DirectoryProvider = v.InferOutput<typeof directory> & {
  /** The content of `caFile`. */
  readonly ca?: string
}

function isDirectoryAddress(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    ['ldap:', 'ldaps:'].includes(url.protocol) &&
    url.hostname !== '' &&
    [url.username, url.search, url.hash].every((part) => part === '') &&
    ['', '/'].includes(url.pathname)
  )
}

function filterWith(placeholder: string, example: string) {
  return v.pipe(
    v.string(),
    v.maxLength(1000),
    v.check((text) => text.includes(placeholder), `must hold ${placeholder}`),
    v.check((text) => isFilter(text, placeholder), `must be a filter, such as ${example}`),
  )
}

function isFilter(text: string, placeholder: string): boolean {
  try {
    FilterParser.parseString(text.replaceAll(placeholder, 'x'))
    // The library closes what is left open; a bracket of a value is escaped.
    return text.split('(').length === text.split(')').length
  } catch {
    return false
  }
}

/** Finds settings of a directory that do not fit together; empty where all does. */
export function directoryProblem(one: DirectoryProvider, env: Env): string {
  const { id, url, startTls, bindDn, bindPassword } = one
  if (startTls && url.some((text) => text.startsWith('ldaps:')))
    return `${id}: startTls is for addresses of ldap://, not of ldaps://`
  const open = url.find((text) => text.startsWith('ldap:'))
  if (open !== undefined && !startTls) {
    if (env['APP_ENV'] === 'production')
      return `${id}: ${open} would carry passwords in plain text, which production refuses: use ldaps:// or set startTls`
    if (!isHere(new URL(open).hostname))
      return `${id}: ${open} would carry passwords in plain text: use ldaps:// or set startTls`
  }
  if ((bindDn === undefined) !== (bindPassword === undefined))
    return `${id}: bindDn and bindPassword belong together`
  const problem = secretProblem('bindPassword', bindPassword, env) || caProblem(one.caFile)
  return problem && `${id}: ${problem}`
}

function caProblem(path: string | undefined): string {
  if (path === undefined) return ''
  try {
    return certificatesIn(readFileSync(path, 'utf8')) === 0
      ? `the caFile ${path} holds no certificate`
      : ''
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return `the caFile ${path} cannot be read (${code})`
  }
}

/** @throws Error for one that cannot be parsed */
function certificatesIn(pem: string): number {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block)).length
}

/** With the secret of its variable and the certificates of its file. Call after `directoryProblem`. */
export function loadedDirectory(one: DirectoryProvider, env: Env): DirectoryProvider {
  const { bindPassword, caFile } = one
  return {
    ...one,
    ...(bindPassword !== undefined && { bindPassword: resolveSecret(bindPassword, env) }),
    ...(caFile !== undefined && { ca: readFileSync(caFile, 'utf8') }),
  }
}
