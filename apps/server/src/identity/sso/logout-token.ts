// The token by which an OpenID provider ends sessions here (OpenID Connect Back-Channel Logout 1.0 §2.6).
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Services } from '../../model/context.ts'
import type { OidcProvider } from '../../platform/settings/settings-sso.ts'
import { clockTolerance, SsoFault } from './identity-provider.ts'
import { loadMetadata } from './oidc.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'
/** Seconds after which a token is too old, and milliseconds of a call for keys. */
const [oldest, timeout] = [600, 8000]
/** Signatures of the provider's key pairs: a shared secret, or none, proves nothing. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')

/** Sessions that end: of one session at the provider, or all of a person. */
interface Logout {
  readonly jti: string
  readonly sid: string | null
  readonly subject: string | null
}

const keySets = new WeakMap<OidcProvider, ReturnType<typeof createRemoteJWKSet>>()

/** @throws SsoFault `invalid` for any other token, `down` while the keys cannot be read */
export async function readLogoutToken(
  services: Services,
  provider: OidcProvider,
  token: string,
): Promise<Logout> {
  const { issuer, jwks_uri } = await loadMetadata(services, provider)
  if (jwks_uri === undefined) throw new SsoFault('invalid', 'the provider names no keys')
  const keys =
    keySets.get(provider) ?? createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: timeout })
  keySets.set(provider, keys)
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: provider.clientId,
      algorithms,
      clockTolerance,
      currentDate: services.now(),
      maxTokenAge: oldest,
      requiredClaims: ['jti', 'events'],
    })
    // A token of another use, such as an ID token, has another type where it has one.
    if (!/^(?:application\/)?(?:logout\+)?jwt$/i.test(protectedHeader.typ ?? 'JWT'))
      throw new SsoFault('invalid', 'the token has another type')
    return logoutIn(payload)
  } catch (error) {
    if (error instanceof SsoFault) throw error
    if (!(error instanceof errors.JOSEError)) throw new SsoFault('down', 'no answer')
    throw new SsoFault(error instanceof errors.JWKSTimeout ? 'down' : 'invalid', error.code)
  }
}

/** @throws SsoFault */
function logoutIn({ jti, sid, sub, nonce, events }: JWTPayload): Logout {
  const isEvent =
    typeof events === 'object' &&
    events !== null &&
    Object.hasOwn(events, event) &&
    typeof (events as Record<string, unknown>)[event] === 'object'
  if (!isEvent) throw new SsoFault('invalid', 'no event of a logout')
  // ID tokens have one.
  if (nonce !== undefined) throw new SsoFault('invalid', 'a nonce')
  const named = {
    sid: typeof sid === 'string' && sid !== '' ? sid : null,
    subject: typeof sub === 'string' && sub !== '' ? sub : null,
  }
  if (typeof jti !== 'string' || jti === '') throw new SsoFault('invalid', 'no jti')
  if (named.sid === null && named.subject === null) throw new SsoFault('invalid', 'nobody is named')
  return { jti, ...named }
}
