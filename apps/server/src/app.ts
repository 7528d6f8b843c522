import { randomUUID } from 'node:crypto'
import { localeOf } from '@jiaowu/api'
import type { Services } from './context.ts'
import { healthRoutes, type HealthState } from './health.ts'
import { createApi } from './http/api.ts'
import { fail } from './http/envelope.ts'
import { openApi } from './http/openapi.ts'
import { withSecurityHeaders } from './http/security-headers.ts'
import { staticFiles } from './http/static-files.ts'
import { routeName } from './http/routes.ts'
import { createThrottle } from './http/throttle.ts'
import { Refusal } from './refusal.ts'

export interface AppOptions {
  readonly services: Services
  /** The built web; without it only the API answers. */
  readonly webRoot?: string
  readonly state: HealthState
}
/** What the listener knows of a connection. */
export interface Peer { readonly ip: string; readonly secure: boolean }
/** `(Request) → Response`: needs no port, so tests hand it to the real client. */
export interface App { readonly fetch: (request: Request, peer?: Peer) => Promise<Response> }

const local: Peer = { ip: '127.0.0.1', secure: false }
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])
const urlBytes = 8192

export const createApp = ({ services, webRoot, state }: AppOptions): App => {
  const api = createApi(services, createThrottle(() => services.now().getTime()))
  const health = healthRoutes({ database: () => services.database, state })
  const files = webRoot === undefined ? null : staticFiles(webRoot)

  const route = async (request: Request, url: URL, peer: Peer, traceId: string): Promise<Response> => {
    const locale = localeOf(request.headers.get('accept-language'))
    const refuse = (status: 400 | 404 | 405, key: 'problem.invalid' | 'problem.notFound' | 'problem.methodNotAllowed') => fail(new Refusal(status, { key }), locale, traceId, services.log)
    if (request.url.length > urlBytes) return refuse(400, 'problem.invalid')
    if (!methods.has(request.method)) return refuse(405, 'problem.methodNotAllowed')
    if (url.pathname === '/api/openapi.json' && request.method === 'GET') return new Response(openApi(), { headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' } })
    if (url.pathname.startsWith('/api/')) return api(request, url, { ip: peer.ip, locale, traceId })
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'problem.methodNotAllowed')
    if (url.pathname === '/health/live') return health.live()
    if (url.pathname === '/health/ready') return health.ready()
    if (url.pathname === '/metrics') return health.metrics()
    return (await files?.(url.pathname, request.method === 'HEAD')) ?? refuse(404, 'problem.notFound')
  }

  return {
    fetch: async (request, peer = local) => {
      const traceId = randomUUID()
      const started = performance.now()
      const url = new URL(request.url)
      const response = await route(request, url, peer, traceId).catch((error: unknown) => fail(error, 'zh-CN', traceId, services.log))
      const took = performance.now() - started
      health.observe({ method: request.method, route: routeName(request.method, url.pathname), status: response.status, seconds: took / 1000 })
      services.log.debug({ method: request.method, path: url.pathname, status: response.status, ms: Math.round(took), traceId }, 'request')
      return withSecurityHeaders(response, peer.secure)
    },
  }
}
