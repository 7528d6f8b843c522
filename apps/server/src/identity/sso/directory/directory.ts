// A directory that is asked for persons and for their passwords by LDAP (docs/rules/security.md#s9).
import { type Client, Filter, ResultCodeError } from 'ldapts'
import type { Services } from '../../../model/context.ts'
import { isSealed } from '../../../platform/keys/keys.ts'
import { nameInFilter, personInFilter } from '../../../platform/settings/settings-directory.ts'
import type { DirectoryProvider } from '../../../platform/settings/settings-sso.ts'
import { type Identity, SsoFault } from '../identity-provider.ts'
import { secretContext } from '../oidc.ts'
import { withServer } from './connection.ts'

type Claims = Identity['claims']

const second = 1000
/** Milliseconds of all servers for one question, and of one until it is connected (docs/rules/security.md#r18). */
const [patience, connectTime] = [8 * second, 3 * second]
/** How long a server that did not answer is asked last, and how long an answer counts whether one is there. */
const [asideFor, fresh] = [30 * second, 30 * second]
const longestName = 128
/** A person in more groups is refused: which roles are left out would be chance. */
const mostGroups = 1000

/** Results by which a server says that it cannot answer now: busy, unavailable, over its limits (RFC 4511 §4.1.9). */
const unable: ReadonlySet<number> = new Set([1, 3, 11, 51, 52, 80])
const referral = 10
const wrongPassword = 49

export interface Found {
  readonly dn: string
  readonly claims: Claims
}

/** A person by the name that they type; undefined without one, or with several. @throws SsoFault */
export async function findPerson(
  services: Services,
  provider: DirectoryProvider,
  name: string,
): Promise<Found | undefined> {
  if (name === '' || name.length > longestName) return undefined
  const { base, scope, filter, claim, nameAttribute, groups } = provider
  const attributes = [claim, nameAttribute, ...(groups === undefined ? [] : [groups.claim])]
  return await ask(services, provider, async (client) => {
    await bindAsService(services, provider, client)
    const { searchEntries: entries } = await client.search(base, {
      scope,
      filter: filter.replaceAll(nameInFilter, () => Filter.escape(name)),
      attributes,
      // One more than there may be.
      sizeLimit: 2,
      timeLimit: patience / second,
    })
    const [entry] = entries
    if (entries.length > 1)
      services.log.warn({ provider: provider.id }, 'a directory has several entries for one name')
    if (entry === undefined || entries.length > 1) return undefined
    const told = Object.fromEntries(
      attributes.flatMap((attribute) => {
        const value = readAttribute(entry, attribute)
        return value === undefined ? [] : [[attribute, value]]
      }),
    )
    if (groups !== undefined)
      told[groups.claim] = [
        ...[told[groups.claim] ?? []].flat(),
        ...(await findGroups(client, provider, entry.dn)),
      ]
    return { dn: entry.dn, claims: { name: [told[nameAttribute]].flat()[0], ...told } }
  })
}

/** Names of the groups that the filter of groups finds for a person. */
async function findGroups(
  client: Client,
  { base, groups }: DirectoryProvider,
  dn: string,
): Promise<readonly string[]> {
  if (groups?.filter === undefined) return []
  const { searchEntries: entries } = await client.search(groups.base ?? base, {
    scope: 'sub',
    filter: groups.filter.replaceAll(personInFilter, () => Filter.escape(dn)),
    // No attributes: the name of the entry is enough (RFC 4511 §4.5.1.8).
    attributes: ['1.1'],
    sizeLimit: mostGroups,
    timeLimit: patience / second,
  })
  return entries.map((entry) => entry.dn)
}

/** Values as text; names of attributes know no case (RFC 4512 §2.5). */
function readAttribute(
  entry: Readonly<Record<string, unknown>>,
  attribute: string,
): string | string[] | undefined {
  const [, value] =
    Object.entries(entry).find(([name]) => name.toLowerCase() === attribute.toLowerCase()) ?? []
  if (typeof value === 'string') return value
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  return texts.length === 0 ? undefined : texts
}

/**
 * Whether a password is that of an entry. An empty one is none: with it a directory would answer yes to
 * everybody (RFC 4513 §5.1.2). @throws SsoFault
 */
export async function checkDirectoryPassword(
  services: Services,
  provider: DirectoryProvider,
  { dn }: Pick<Found, 'dn'>,
  password: string,
): Promise<boolean> {
  if (dn === '' || password === '' || password.includes('\0')) return false
  return await ask(services, provider, async (client) => {
    try {
      await client.bind(dn, password)
      return true
    } catch (error) {
      if (!(error instanceof ResultCodeError) || unable.has(error.code)) throw error
      // The answer to the person does not depend on it: only the owner may learn that an account is locked.
      if (error.code !== wrongPassword || / data (?!52e)/.test(error.message))
        services.log.info(
          { provider: provider.id, code: error.code, data: /data (\w+)/.exec(error.message)?.[1] },
          'a directory refused a password for another reason than that it is wrong',
        )
      return false
    }
  })
}

/** @throws SsoFault */
async function bindAsService(
  { keys }: Services,
  { bindDn, bindPassword }: DirectoryProvider,
  client: Client,
): Promise<void> {
  if (bindDn === undefined || bindPassword === undefined) return
  const password = isSealed(bindPassword) ? keys.open(secretContext, bindPassword) : bindPassword
  if (password === '') throw new SsoFault('invalid', 'the password of bindDn is empty')
  await client.bind(bindDn, password)
}

interface Health {
  /** By address: until when a server is asked last. */
  readonly aside: Map<string, number>
  probe?: { readonly at: number; readonly up: Promise<boolean> }
}
const healths = new WeakMap<DirectoryProvider, Health>()

function findHealth(provider: DirectoryProvider): Health {
  const health = healths.get(provider) ?? { aside: new Map() }
  healths.set(provider, health)
  return health
}

/**
 * Asks the servers in their order until one answers. A referral is not followed: it would send the password to
 * whatever server it names. @throws SsoFault `down` where none answers, `invalid` where one answers no
 */
async function ask<T>(
  services: Services,
  provider: DirectoryProvider,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const { aside } = findHealth(provider)
  const began = performance.now()
  const isAside = (address: string) => (aside.get(address) ?? 0) > began
  const inOrder = [
    ...provider.url.filter((address) => !isAside(address)),
    ...provider.url.filter(isAside),
  ]
  for (const [index, address] of inOrder.entries()) {
    // A server that is slow leaves time for those behind it.
    const share = (patience - (performance.now() - began)) / (inOrder.length - index)
    if (share <= 0) break
    const times = { connect: Math.min(share, connectTime), call: share }
    try {
      const answer = await withServer(provider, address, times, use)
      aside.delete(address)
      return answer
    } catch (error) {
      if (error instanceof SsoFault) throw error
      if (error instanceof ResultCodeError && !unable.has(error.code))
        throw new SsoFault(
          'invalid',
          error.code === referral
            ? 'a referral, which is not followed'
            : `result ${error.code} (${error.name})`,
        )
      aside.set(address, performance.now() + asideFor)
      services.log.warn(
        {
          provider: provider.id,
          server: address,
          failure: error instanceof Error ? error.message : 'unknown',
        },
        'a server of a directory cannot be reached',
      )
    }
  }
  throw new SsoFault('down')
}

/** Whether a server of the directory answers, as far as the search needs it. */
export function isDirectoryUp(services: Services, provider: DirectoryProvider): Promise<boolean> {
  const health = findHealth(provider)
  const at = services.now().getTime()
  if (health.probe !== undefined && Math.abs(at - health.probe.at) < fresh) return health.probe.up
  const up = ask(services, provider, (client) => bindAsService(services, provider, client)).then(
    () => true,
    () => false,
  )
  health.probe = { at, up }
  return up
}
