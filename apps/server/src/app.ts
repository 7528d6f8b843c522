import { randomUUID } from 'node:crypto'
import { type Locale, localeOf } from '@jiaowu/api'
import type { Services } from './context.ts'
import { fileStore } from './platform/files/store.ts'
import { healthRoutes, type HealthState } from './platform/health.ts'
import { createApi } from './http/api.ts'
import { fail } from './http/envelope.ts'
import { openApi } from './http/openapi.ts'
import { withSecurityHeaders } from './http/requests/security-headers.ts'
import { staticFiles } from './http/static-files.ts'
import { methodsAt, routeName } from './http/routes.ts'
import { createThrottle, rates } from './http/requests/throttle.ts'
import { networkOf } from './http/requests/address.ts'
import { payRoute } from './payments/routes.ts'
import { cashierPath } from './payments/sandbox/gateway.ts'
import { notifyPath } from './payments/wechat/gateway.ts'
import { Refusal } from './platform/refusal.ts'

export interface AppOptions {
  readonly services: Services
  /** The built web; without it only the API answers. */
  readonly webRoot?: string
  readonly state: HealthState
}
/** What the listener knows of a connection. */
export interface Peer {
  readonly ip: string
  readonly secure: boolean
}
/** `(Request) → Response`: needs no port, so tests hand it to the real client. */
export interface App {
  readonly fetch: (request: Request, peer?: Peer) => Promise<Response>
  /** Refuses new calls, says so to the load balancer, and resolves when those under way are answered. */
  readonly drain: () => Promise<void>
}

const local: Peer = { ip: '127.0.0.1', secure: false }
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])
// docs/rules/security.md#c3 says 8 KB; 500 ids of 19 digits in one delete are more (docs/rules/contract.md#entity-data stands).
const urlBytes = 12 * 1024
const document = '/api/openapi.json'

const quietMs = 100
const lameDuckMs = 2_000

export function createApp(options: AppOptions): App {
  const {
    services: { database, log, settings },
    state,
  } = options
  const health = healthRoutes({
    database: () => database,
    state,
    files: fileStore(settings).healthy,
  })
  const route = createRouter(options, health)
  const gauge = createGauge()

  const answer = async (request: Request, peer: Peer): Promise<Response> => {
    const traceId = randomUUID()
    const started = performance.now()
    const url = new URL(request.url)
    const locale = localeOf(request.headers.get('accept-language'))
    const response = await route(request, url, peer, locale, traceId).catch((error: unknown) =>
      fail(error, locale, traceId, log),
    )
    if (response.status === 405) response.headers.set('allow', allowedAt(url.pathname))
    if (state.draining) response.headers.set('connection', 'close')
    const took = performance.now() - started
    health.observe({
      method: methods.has(request.method) ? request.method : 'other',
      route: routeName(request.method, url.pathname),
      status: response.status,
      seconds: took / 1000,
    })
    log.debug(
      {
        method: request.method,
        path: url.pathname,
        status: response.status,
        ms: Math.round(took),
        traceId,
      },
      'request',
    )
    return withSecurityHeaders(response, peer.secure)
  }
  return {
    fetch: (request, peer = local) => gauge.around(answer(request, peer)),
    drain: () => {
      state.draining = true
      return gauge.quiet()
    },
  }
}

function createRouter(
  { services, webRoot, state }: AppOptions,
  health: ReturnType<typeof healthRoutes>,
) {
  const throttle = createThrottle(() => services.now().getTime())
  const api = createApi(services, throttle)
  const files = webRoot === undefined ? null : staticFiles(webRoot)

  const page = async (request: Request, pathname: string): Promise<Response | null> => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new Refusal(405, { key: 'problem.methodNotAllowed' })
    if (pathname === '/health/live') return health.live()
    if (pathname === '/health/ready') return health.ready()
    if (pathname === '/metrics') return health.metrics()
    return (await files?.(pathname, request)) ?? null
  }

  return async (
    request: Request,
    url: URL,
    peer: Peer,
    locale: Locale,
    traceId: string,
  ): Promise<Response> => {
    if (request.url.length > urlBytes) throw new Refusal(400, { key: 'problem.invalid' })
    if (!methods.has(request.method)) throw new Refusal(405, { key: 'problem.methodNotAllowed' })
    if (url.pathname === document && request.method === 'GET')
      return new Response(openApi(), {
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
      })
    if (url.pathname.startsWith('/api/')) {
      if (state.migrating || state.draining)
        throw new Refusal(503, { key: 'problem.unavailable' }, { retryAfter: 2 })
      return api(request, url, { ip: peer.ip, locale, traceId })
    }
    if (url.pathname.startsWith('/pay/')) {
      if (state.migrating || state.draining)
        throw new Refusal(503, { key: 'problem.unavailable' }, { retryAfter: 2 })
      if (url.pathname !== notifyPath) throttle(`pay:${networkOf(peer.ip)}`, rates.address) // a provider comes from few addresses
      return payRoute(services, request, url.pathname, locale)
    }
    const answered = await page(request, url.pathname)
    if (answered === null) throw new Refusal(404, { key: 'problem.notFound' })
    return answered
  }
}

/** Counts what is under way. */
function createGauge() {
  let [under, seen] = [0, 0]
  let idle: (() => void) | undefined
  const empty = () =>
    new Promise<void>((resolve) => {
      if (under === 0) resolve()
      else idle = resolve
    })
  return {
    around: async <T>(work: Promise<T>): Promise<T> => {
      under += 1
      seen += 1
      try {
        return await work
      } finally {
        under -= 1
        if (under === 0) idle?.()
      }
    },
    /** Nothing under way, and nobody came for a moment: those told to leave have left. Who keeps coming is waited for two seconds. */
    quiet: async (): Promise<void> => {
      const until = performance.now() + lameDuckMs
      let before: number
      do {
        before = seen
        await nap(quietMs)
      } while (seen > before && performance.now() < until)
      await empty()
    },
  }
}

function nap(ms: number) {
  return new Promise<void>((resolve) => {
    setTimeout(resolve, ms)
  })
}

function allowedAt(pathname: string): string {
  return pathname === notifyPath
    ? 'POST'
    : pathname.startsWith(cashierPath)
      ? 'GET, POST'
      : pathname.startsWith('/api/') && pathname !== document
        ? methodsAt(pathname).join(', ')
        : 'GET, HEAD'
}
