import type { Services } from '../../model/context.ts'
import type { BrowserProvider, SsoProvider } from '../../platform/settings/settings-sso.ts'
import { casDriver } from './cas.ts'
import { isDirectoryUp } from './directory/directory.ts'
import type { BrowserDriver } from './identity-provider.ts'
import { oidcDriver } from './oidc.ts'

const drivers = { oidc: oidcDriver, cas: casDriver } satisfies {
  [K in BrowserProvider['kind']]: BrowserDriver<Extract<BrowserProvider, { kind: K }>>
}

export function findDriver({ kind }: BrowserProvider): BrowserDriver<BrowserProvider> {
  return drivers[kind] as BrowserDriver<BrowserProvider>
}

/** Whether the server can reach a provider. */
export function isProviderUp(services: Services, provider: SsoProvider): Promise<boolean> {
  return provider.kind === 'ldap'
    ? isDirectoryUp(services, provider)
    : findDriver(provider).isUp(services, provider)
}
