import * as v from 'valibot'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { tokens } from './session.ts'
import { text } from './shapes.ts'

const ssoKinds = ['oidc', 'cas', 'ldap'] as const

/** Why a sign-in at a provider ended without a session; the page `/#/sso` has a sentence for each. */
export const ssoFaults = [
  'busy',
  'browser',
  'cancelled',
  'clock',
  'disabled',
  'down',
  'expired',
  'invalid',
  'mixed',
  'network',
  'redirect',
  'refused',
  'replayed',
  'stale',
  'unknown',
] as const
export type SsoFaultName = (typeof ssoFaults)[number]

const ssoProvider = v.object({
  id: v.string(),
  kind: v.picklist(ssoKinds),
  name: v.string(),
  nameEn: v.string(),
  for: v.picklist(['staff', 'students']),
  /** False while the server cannot reach it. */
  up: v.boolean(),
})
export type SsoProviderInfo = v.InferOutput<typeof ssoProvider>

/**
 * Sign-in at identity providers of the school (docs/rules/security.md#s8). A browser is sent to those of kind
 * `oidc` and `cas`; accounts and passwords of kind `ldap` go to `session.signIn` with the provider's id.
 */
export const sso = {
  providers: endpoint({
    method: 'GET',
    path: '/auth/providers',
    access: 'public',
    query: v.strictObject({ tenant: v.optional(text) }),
    answer: v.array(ssoProvider),
  }),
  /** Sends the browser to the provider. `redirect`: a path of the application to open after the sign-in. */
  start: fileEndpoint({
    method: 'GET',
    path: '/auth/{provider}/start',
    access: 'public',
    query: v.strictObject({ redirect: v.optional(text) }),
  }),
  /** Where the provider sends the browser back to; answers with a redirect to `/#/sso`. */
  callback: fileEndpoint({
    method: 'GET',
    path: '/auth/{provider}/callback',
    access: 'public',
    query: v.record(v.string(), v.string()),
  }),
  /** Exchanges the one-use code of the callback for tokens, in the browser that began the sign-in. */
  enter: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/{provider}/callback',
    access: 'public',
    body: v.strictObject({ code: text }),
    answer: tokens,
  }),
  /**
   * Where the browser signs in anew at the provider of its session, to prove who the caller is; it comes back to
   * `/#/sso` with a code for `proven`. @throws 404 for sessions that came another way
   */
  prove: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/{provider}/prove',
    access: 'staff',
    answer: v.object({ url: v.string() }),
  }),
  /** The answer of `reauthentication.prove` to the code of a sign-in anew. */
  proven: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/{provider}/proof',
    access: 'staff',
    body: v.strictObject({ code: text }),
    answer: v.object({ token: v.string(), expiresIn: v.number() }),
  }),
  /**
   * The provider ends sessions here (OpenID Connect Back-Channel Logout 1.0).
   * @throws 400 for a token that is none, or was used
   */
  backchannel: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/{provider}/backchannel',
    access: 'public',
    bodyKind: 'form',
    body: v.object({ logout_token: v.pipe(v.string(), v.maxLength(16_000)) }),
    answer: v.null(),
  }),
  /** Ends the session. `url`: where the browser ends that of the provider; null where it has no such page. */
  logout: endpoint({
    method: 'POST',
    keyed: false,
    path: '/auth/{provider}/logout',
    access: 'signed',
    answer: v.object({ url: v.nullable(v.string()) }),
  }),
} as const
