// OpenID Connect: code flow with PKCE, state and nonce (docs/rules/security.md#s8).
import * as client from 'openid-client'
import type { Services } from '../../model/context.ts'
import { isSealed } from '../../platform/keys/keys.ts'
import type { OidcProvider } from '../../platform/settings/settings-sso.ts'
import {
  type BrowserDriver,
  callbackUrl,
  claimAt,
  clockTolerance,
  type Identity,
  SsoFault,
} from './identity-provider.ts'

const second = 1000
/** Seconds of a call to a provider (docs/rules/security.md#r18). */
const timeout = 8
/** How long a discovery counts, and after how long a failed one is tryCall again. */
const [fresh, retry] = [3600 * second, 10 * second]

interface Discovered {
  config?: client.Configuration
  readAt: number
  failedAt: number
  running?: Promise<client.Configuration> | undefined
}
/** By provider of the settings, which live as long as the server. */
const discovered = new WeakMap<OidcProvider, Discovered>()

export const oidcDriver: BrowserDriver<OidcProvider> = {
  begin: async (context, provider, { attempt, again }) => {
    const config = await buildConfig(context, provider)
    return client.buildAuthorizationUrl(config, {
      redirect_uri: callbackUrl(context, provider).href,
      scope: provider.scopes.join(' '),
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      ui_locales: context.locale,
      ...(again ? { prompt: 'login', max_age: '0' } : {}),
    })
  },
  finish: async (context, provider, answer, { attempt }) => {
    const config = await buildConfig(context, provider)
    assertIssuer(config, answer)
    const current = callbackUrl(context, provider)
    current.search = answer.toString()
    const tokens = await tryCall(() =>
      client.authorizationCodeGrant(config, current, {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
      }),
    )
    const claims = tokens.claims()
    if (claims === undefined) throw new SsoFault('invalid', 'no ID token')
    assertIssued(context, claims.iat)
    return {
      claims: await withUserInfo(config, provider, tokens.access_token, claims),
      provedAt: provedAt(context, claims.auth_time),
      idToken: tokens.id_token ?? null,
      subject: claims.sub,
      sid: typeof claims['sid'] === 'string' ? claims['sid'] : null,
    } satisfies Identity
  },
  isUp: (services, provider) =>
    buildConfig(services, provider).then(
      () => true,
      () => false,
    ),
  logoutUrl: async (services, provider, idToken) => {
    const config = await buildConfig(services, provider).catch(() => null)
    if (config?.serverMetadata().end_session_endpoint === undefined) return null
    return client.buildEndSessionUrl(config, {
      post_logout_redirect_uri: `${services.settings.publicUrl}/`,
      ...(idToken === null ? {} : { id_token_hint: idToken }),
    }).href
  },
}

/** Loads the metadata of the provider. @throws SsoFault */
export async function loadMetadata(services: Services, provider: OidcProvider) {
  return (await buildConfig(services, provider)).serverMetadata()
}

/** The provider's endpoints and keys; those known last while it cannot be reached. @throws SsoFault */
async function buildConfig(
  services: Services,
  provider: OidcProvider,
): Promise<client.Configuration> {
  const state = discovered.get(provider) ?? { readAt: 0, failedAt: 0 }
  discovered.set(provider, state)
  const at = services.now().getTime()
  if (state.config !== undefined && at - state.readAt < fresh) return state.config
  if (state.running === undefined && Math.abs(at - state.failedAt) < retry) {
    if (state.config !== undefined) return state.config
    throw new SsoFault('down')
  }
  state.running ??= discover(services, provider).finally(() => {
    state.running = undefined
  })
  try {
    state.config = await state.running
    state.readAt = at
    return state.config
  } catch (error) {
    state.failedAt = at
    if (state.config !== undefined) return state.config
    services.log.warn(
      { provider: provider.id, failure: error instanceof Error ? error.message : 'unknown' },
      'an identity provider cannot be reached',
    )
    throw new SsoFault('down')
  }
}

async function discover(
  { keys }: Services,
  { issuer, clientId, clientSecret, clientAuth }: OidcProvider,
): Promise<client.Configuration> {
  const secret =
    clientSecret !== undefined && isSealed(clientSecret)
      ? keys.open(secretContext, clientSecret)
      : clientSecret
  const config = await client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: clockTolerance },
    secret === undefined
      ? client.None()
      : clientAuth === 'post'
        ? client.ClientSecretPost(secret)
        : client.ClientSecretBasic(secret),
    // Plain http is taken by the settings for this machine alone.
    { timeout, ...(issuer.startsWith('http:') ? { execute: [client.allowInsecureRequests] } : {}) },
  )
  // Checks the signature of ID tokens, although they come from the provider by TLS.
  client.enableNonRepudiationChecks(config)
  return config
}

/** The context of the key that encrypts secrets of clients in the settings' file. */
export const secretContext = 'sso.client_secret'

/**
 * The answer of another provider, sent to the callback of this one (RFC 9207). The library asks for `iss` where
 * the provider announces it. @throws SsoFault
 */
function assertIssuer(config: client.Configuration, answer: URLSearchParams): void {
  const issuer = answer.get('iss')
  if (issuer !== null && issuer !== config.serverMetadata().issuer) throw new SsoFault('mixed')
}

/** @throws SsoFault for a token from the future, which the library does not look for */
function assertIssued({ now }: Pick<Services, 'now'>, issued: number): void {
  if (issued * second > now().getTime() + clockTolerance * second) throw new SsoFault('clock')
}

function provedAt({ now }: Pick<Services, 'now'>, time: number | undefined): Date | null {
  return time === undefined ? null : new Date(Math.min(time * second, now().getTime()))
}

/** Asks for the claims that the ID token does not have. */
async function withUserInfo(
  config: client.Configuration,
  { claim, groups, create }: OidcProvider,
  accessToken: string,
  claims: client.IDToken,
): Promise<Readonly<Record<string, unknown>>> {
  const wanted = [claim, ...(groups === undefined ? [] : [groups.claim])]
  if (create !== undefined) wanted.push('name')
  const isComplete = wanted.every((name) => claimAt(claims, name) !== undefined)
  if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return claims
  const more = await tryCall(() => client.fetchUserInfo(config, accessToken, claims.sub))
  return { ...more, ...claims }
}

/** @throws SsoFault */
async function tryCall<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw toFault(error)
  }
}

function toFault(error: unknown): SsoFault {
  if (error instanceof client.AuthorizationResponseError)
    return new SsoFault(error.error === 'access_denied' ? 'cancelled' : 'refused', error.error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return new SsoFault('clock', code)
  if (code === 'OAUTH_TIMEOUT' || isServerFault(error) || isCutOff(error))
    return new SsoFault('down', code)
  // `fetch` rejects with a TypeError without a code where it gets no answer.
  if (error instanceof TypeError && code === '') return new SsoFault('down', 'no answer')
  return new SsoFault('invalid', code === '' ? 'unknown' : code)
}

/**
 * Whether an answer began and never ended, by a time-out or a lost connection: the library says that its body cannot
 * be parsed, and keeps the cause below that of its own.
 */
function isCutOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { name, cause } = error
  if (name === 'AbortError' || name === 'TimeoutError') return true
  // `fetch` breaks off with a TypeError whose cause is the failure of the connection.
  if (error instanceof TypeError) return cause instanceof Error
  return isCutOff(cause)
}

/** The cause is a `Response` of `fetch`, which is no instance of the class that @hono/node-server makes global. */
function isServerFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { cause } = error
  return (
    typeof cause === 'object' &&
    cause !== null &&
    'status' in cause &&
    typeof cause.status === 'number' &&
    cause.status >= 500
  )
}
