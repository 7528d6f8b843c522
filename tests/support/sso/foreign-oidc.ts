// An OpenID provider of another vendor on loopback: `oidc-provider`, certified by the OpenID Foundation.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type JWK, Provider } from 'oidc-provider'

/** Claims of a person by the name that they sign in with. */
export type People = Record<string, Readonly<Record<string, unknown>>>

export interface ForeignOidc {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** May be changed between two sign-ins. */
  readonly people: People
  readonly stop: () => Promise<void>
}

/** Seconds. */
const life = 600
const clientId = 'jiaowu'
const clientSecret = 'a-secret-of-the-tests'

/** @param origin of the server that signs in here */
export async function foreignOidc(
  origin: string,
  { id = 'campus', people }: { readonly id?: string; readonly people: People },
): Promise<ForeignOidc> {
  const server = createServer()
  const port = await listening(server)
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${origin}/api/auth/${id}/callback`],
        post_logout_redirect_uris: [`${origin}/`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups'] },
    cookies: { keys: ['tests'] },
    jwks: { keys: [createSigningKey()] },
    ttl: { Interaction: life, Grant: life, Session: life, AccessToken: life, IdToken: life },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = `${head}<h1>退出校园身份认证</h1>${form}
            <button form="op.logoutForm" name="logout" value="yes">退出</button></html>`
        },
      },
    },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ sub, preferred_username: sub, ...people[sub] }),
    }),
    // Persons are not asked what the school's own system may read.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid profile')
      await grant.save()
      return grant
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  })
  server.on('request', createProviderListener(provider))
  return {
    issuer,
    clientId,
    clientSecret,
    people,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The pages of the provider, and the one where a person signs in. */
function createProviderListener(provider: Provider): RequestListener {
  const answer = provider.callback()
  return (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) {
      void answer(request, response)
      return
    }
    if (request.method === 'GET') {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(page)
      return
    }
    void readRequestForm(request).then((form) =>
      provider.interactionFinished(
        request,
        response,
        form.has('cancel')
          ? { error: 'access_denied', error_description: 'cancelled by the person' }
          : { login: { accountId: form.get('account') ?? '' } },
      ),
    )
  }
}

const head = `<!doctype html><html lang="zh"><meta charset="utf-8"><title>校园身份认证</title>`
const page = `${head}<h1>校园身份认证</h1><form method="post"><label>账号 <input name="account" autofocus></label>
<button>登录</button><button name="cancel" value="1">取消</button></form></html>`

function createSigningKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), kid: 'tests', alg: 'RS256', use: 'sig' } as JWK
}

export function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

export async function readRequestForm(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'))
}

/**
 * A person's way through the provider, as a browser goes it without scripts.
 * @returns the address at which the provider sends the browser back
 */
export async function throughProvider(
  start: string,
  origin: string,
  form: Readonly<Record<string, string>>,
  jar = new Map<string, string>(),
): Promise<URL> {
  let [url, init]: [URL, RequestInit] = [new URL(start), {}]
  for (let steps = 0; steps < 12; steps += 1) {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        ...init.headers,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) {
      if (!url.pathname.startsWith('/interaction/'))
        throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
      init = { method: 'POST', body: new URLSearchParams(form) }
      continue
    }
    url = new URL(location, url)
    init = {}
    if (url.origin === origin) return url
  }
  throw new Error('the provider never sent the browser back')
}
