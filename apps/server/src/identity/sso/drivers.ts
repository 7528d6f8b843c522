import type { SsoProvider } from '../../platform/settings/settings-sso.ts'
import { casDriver } from './cas.ts'
import type { BrowserDriver } from './identity-provider.ts'
import { oidcDriver } from './oidc.ts'

const drivers = { oidc: oidcDriver, cas: casDriver } satisfies {
  [K in SsoProvider['kind']]: BrowserDriver<Extract<SsoProvider, { kind: K }>>
}

export function driverOf({ kind }: SsoProvider): BrowserDriver<SsoProvider> {
  return drivers[kind] as BrowserDriver<SsoProvider>
}
