// Common parts of the kinds of identity providers (docs/rules/security.md#s8).
import type { SsoFaultName } from '@jiaowu/api/contract/sso'
import type { Context, Services } from '../../model/context.ts'
import { notFound } from '../../platform/refusal.ts'
import type { BrowserProvider, SsoProvider } from '../../platform/settings/settings-sso.ts'

/** A sign-in that cannot go on: the person is told why, and led back to the sign-in page. */
export class SsoFault extends Error {
  readonly fault: SsoFaultName
  constructor(fault: SsoFaultName, detail: string = fault) {
    super(detail)
    this.name = 'SsoFault'
    this.fault = fault
  }
}

/** Facts that a provider tells of a person. */
export interface Identity {
  readonly claims: Readonly<Record<string, unknown>>
  /** When the person last signed in there; null where it does not tell. */
  readonly provedAt: Date | null
  /** For the sign-out there. */
  readonly idToken: string | null
  /** Their subject there, and the session, for a sign-out that the provider begins. */
  readonly subject: string | null
  readonly sid: string | null
}

/** Secrets of one attempt, known to the browser that began it alone. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

interface Going {
  readonly attempt: Attempt
  /** Asks the person to sign in there even if they are. */
  readonly again: boolean
}

/** One kind of provider that a browser is sent to. Failures are thrown as SsoFault. */
export interface BrowserDriver<P extends BrowserProvider> {
  /** The address to send the browser to. */
  readonly begin: (context: Context, provider: P, going: Going) => Promise<URL>
  /** @param answer the query with which the provider sent the browser back */
  readonly finish: (
    context: Context,
    provider: P,
    answer: URLSearchParams,
    going: Going,
  ) => Promise<Identity>
  readonly isUp: (services: Services, provider: P) => Promise<boolean>
  /** Where the browser ends its session at the provider; null without such a page. */
  readonly logoutUrl: (
    services: Services,
    provider: P,
    idToken: string | null,
  ) => Promise<string | null>
}

/** Seconds by which clocks of providers may differ. */
export const clockTolerance = 60

export function callbackUrl(
  { settings }: Pick<Services, 'settings'>,
  { id }: Pick<SsoProvider, 'id'>,
): URL {
  return new URL(`${settings.publicUrl}/api/auth/${id}/callback`)
}

/** Providers of a school. */
export function providersFor(
  { settings }: Pick<Services, 'settings'>,
  tenant: string,
): readonly SsoProvider[] {
  return settings.ssoProviders.filter((provider) => provider.tenant === tenant)
}

/** @throws Refusal 404 */
export function findProvider({ settings }: Pick<Services, 'settings'>, id: string): SsoProvider {
  const found = settings.ssoProviders.find((provider) => provider.id === id)
  if (found === undefined) throw notFound()
  return found
}

/** @throws Refusal 404, also for a provider that no browser is sent to */
export function findBrowserProvider(
  services: Pick<Services, 'settings'>,
  id: string,
): BrowserProvider {
  const found = findProvider(services, id)
  if (found.kind === 'ldap') throw notFound()
  return found
}

/** A claim by its name, or by a path of names such as `realm_access.roles`. */
export function claimAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}
