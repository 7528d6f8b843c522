// An OpenID provider whose answers a test bends: claims, signature, state of health.
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import { readRequestForm, listening } from './foreign-oidc.ts'

interface Bent {
  /** Changes the claims of the next ID token. */
  claims: (honest: Record<string, unknown>) => Record<string, unknown>
  /** Signs ID tokens; the provider's own key where it is null. */
  key: KeyObject | null
  status: number
  /** Ends the connection in the middle of answers. */
  isCut: boolean
}

export interface BentOidc {
  readonly issuer: string
  readonly bent: Bent
  /** A token of its own key, such as one of a logout. */
  readonly sign: (claims: Record<string, unknown>, header?: Record<string, unknown>) => string
  /** Forms with which codes were exchanged. */
  readonly exchanged: URLSearchParams[]
  readonly stop: () => Promise<void>
}

const second = 1000
const honest = (): Bent => ({ claims: (claims) => claims, key: null, status: 200, isCut: false })

/**
 * The answers are honest until a test changes `bent`; `code` of an answer is the nonce that the ID token gets.
 */
export async function bentOidc(): Promise<BentOidc> {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const server = createServer()
  const issuer = `http://127.0.0.1:${await listening(server)}`
  const bent = honest()
  const exchanged: URLSearchParams[] = []
  server.on('request', (request, response) => {
    const answer = (body: unknown) => {
      response.statusCode = bent.status
      response.setHeader('content-type', 'application/json')
      const text = JSON.stringify(body)
      if (!bent.isCut) response.end(text)
      else response.write(text.slice(0, 10), () => request.socket.destroy())
    }
    if (request.url === '/.well-known/openid-configuration')
      answer({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
      })
    else if (request.url === '/jwks')
      answer({
        keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }],
      })
    else
      void readRequestForm(request).then((form) => {
        exchanged.push(form)
        const at = Math.floor(Date.now() / second)
        const claims = bent.claims({
          iss: issuer,
          sub: 'clerk',
          preferred_username: 'clerk',
          aud: 'jiaowu',
          iat: at,
          exp: at + 300,
          auth_time: at,
          nonce: form.get('code'),
        })
        answer({
          access_token: 'unused',
          token_type: 'bearer',
          id_token: signClaims(claims, bent.key ?? own.privateKey),
        })
      })
  })
  return {
    issuer,
    bent,
    sign: (claims, header = {}) => signClaims(claims, bent.key ?? own.privateKey, header),
    exchanged,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function signClaims(
  claims: Record<string, unknown>,
  key: KeyObject,
  header: Record<string, unknown> = {},
): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', kid: 'k', ...header })}.${part(claims)}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
}
