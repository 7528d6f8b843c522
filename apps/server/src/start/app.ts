import { parseLocale } from '@jiaowu/api/locale'
import type { Services } from '../model/context.ts'
import { createApi } from '../http/api.ts'
import { answerDocs, docsPath } from '../http/docs-page.ts'
import { fail } from '../http/envelope.ts'
import { createAccessLog } from '../http/access-log.ts'
import { createBuildReader } from '../http/build.ts'
import { createInFlight } from '../http/in-flight.ts'
import { openApi } from '../platform/openapi/document.ts'
import { networkOf } from '../platform/requests/address.ts'
import { mayReadMetrics } from '../http/requests/metrics-access.ts'
import { buildReplyHeaders, withSecurityHeaders } from '../http/requests/security-headers.ts'
import { createRates, createThrottle } from '../http/requests/throttle.ts'
import { createRouter } from '../http/router.ts'
import type { Caller } from '../platform/requests/caller.ts'
import { inTrace, readTrace } from '../platform/requests/trace.ts'
import { securityTxt, securityTxtPath } from '../http/security-txt.ts'
import { staticFiles } from '../http/static-files.ts'
import { entityRecoveries } from '../entities/handlers/recoveries.ts'
import { guardSearch } from '../entities/personal/personal-search.ts'
import type { Peer } from '../http/listener.ts'
import { createAgeReader } from './age.ts'
import { addFigures } from './figures.ts'
import { handlers } from './handlers.ts'
import { answerMcp, mcpPath } from './mcp.ts'
import { findNewestBackup } from './nightly-backup.ts'
import { createPapers } from '../documents/case-papers.ts'
import { addPapers } from '../model/papers.ts'
import { defineLedgerQueues } from './job-handlers.ts'
import { payRoutes } from '../payments/routes.ts'
import { notifyPath } from '../payments/wechat/gateway.ts'
import { hashQueue } from '../identity/password.ts'
import { fileStore } from '../platform/files/store.ts'
import { waitingAt } from '../platform/audit/delivery/deliver.ts'
import { healthRoutes, type HealthState } from '../platform/health.ts'
import { forbidden, notFound, Refusal } from '../platform/refusal.ts'

export interface AppOptions {
  readonly services: Services
  /** Folder of the built web; without it only the API answers. */
  readonly webRoot?: string
  readonly state: HealthState
  /** Resolves when the server is prepared: calls wait for it for five seconds. Absent: they answer 503 until then. */
  readonly prepared?: Promise<void>
}
/** Maps a request to a response without a port, so tests can hand it to the real client. */
export interface App {
  readonly fetch: (request: Request, peer?: Peer) => Promise<Response>
  /** Resolves when no request is in flight. */
  readonly idle: () => Promise<void>
  /**
   * Refuses new calls and reports `draining` to the load balancer. Resolves when all requests in
   * flight are answered and no more arrive.
   */
  readonly refuse: () => Promise<void>
}

const local: Peer = { ip: '127.0.0.1', secure: false }
const openApiPath = '/api/openapi.json'
const isDescription = (path: string): boolean =>
  path === openApiPath || path === docsPath || path.startsWith(`${docsPath}/`)
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])
// docs/rules/security.md#c3 says 8 KB, but one delete may name 500 ids of 19 digits
// (docs/rules/contract.md#entity-data).
const urlBytes = 12 * 1024
const preparedWithinMs = 5_000
/** Starts of paths that the log and the metrics know by their own name. */
const namedPages = ['/health/live', '/health/ready', '/metrics', '/assets/', '/pay/']

export function createApp(options: AppOptions): App {
  const {
    services: { database, memory, settings },
    state,
  } = options
  const { backupDir } = settings
  hashQueue.limit({ atOnce: settings.signInAtOnce, waiting: settings.signInQueue })
  const health = healthRoutes({
    database: () => database,
    state,
    files: fileStore(settings).healthy,
    memory,
    receivers: () => waitingAt(options.services),
    isOlder: createAgeReader(options.services),
    addFigures: (registry) => addFigures(registry, options.services),
    ...(backupDir !== undefined && { backups: () => findNewestBackup(backupDir) }),
  })
  defineLedgerQueues(options.services)
  addPapers(options.services, createPapers(options.services))
  const { route, routeName } = createRoutes(options, health)
  const inFlight = createInFlight()
  const build = createBuildReader(options.webRoot)
  const logAccess = createAccessLog(options.services)

  const answer = async (request: Request, peer: Peer): Promise<Response> => {
    const started = performance.now()
    const trace = {
      ...readTrace(request.headers),
      reply: buildReplyHeaders(peer.secure, settings.hstsMaxAge, build()),
    }
    const caller: Caller = {
      ip: peer.ip,
      locale: parseLocale(request.headers.get('accept-language')),
      traceId: trace.id,
    }
    const response = await inTrace(trace, () => route(request, caller))
    // The caller's next connection is to another server.
    if (state.draining) response.headers.set('connection', 'close')
    const method = knownMethods.has(request.method) ? request.method : 'other'
    const named = caller.declaredPath ?? routeName(request)
    health.observe({
      method,
      route: named,
      status: response.status,
      seconds: (performance.now() - started) / 1000,
      why: caller.why,
    })
    logAccess({ trace, caller, method, route: named, response, started, sent: peer.sent })
    return withSecurityHeaders(response, trace)
  }
  return {
    fetch: (request, peer = local) => inFlight.track(answer(request, peer)),
    idle: inFlight.idle,
    refuse: () => {
      Object.assign(state, { draining: true, refusing: true })
      return inFlight.quiet()
    },
  }
}

function createRoutes(
  { services, webRoot, state, prepared }: AppOptions,
  health: ReturnType<typeof healthRoutes>,
) {
  const { log, now } = services
  const throttle = createThrottle(() => now().getTime())
  const rates = createRates(services.settings)
  const api = createApi(services, throttle, {
    handlers,
    recoveries: entityRecoveries,
    guardInput: guardSearch,
  })
  const payments = payRoutes(services, createRouter({ log, head: false }))
  const router = createRouter({ log, head: true })
  const answerApi = async (request: Request, caller: Caller): Promise<Response> => {
    assertGoodUrl(request.url)
    await assertRunning(state, prepared)
    return new URL(request.url).pathname === mcpPath
      ? await answerMcp(request, caller, (call, from) => api.fetch(call, { ...from }))
      : await api.fetch(request, caller)
  }

  router.use((c, next) => {
    assertGoodUrl(c.req.url)
    return next()
  })
  router.get(openApiPath, async (c) => {
    if (c.req.query('entities') !== undefined) return await answerApi(c.req.raw, c.env)
    const lang = c.req.query('lang')
    return c.body(openApi(lang === undefined ? c.env.locale : parseLocale(lang)), 200, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
  })
  router.get(`${docsPath}/:file?`, async (c) => {
    return (await answerDocs(c.req.path, c.env.locale)) ?? (await answerApi(c.req.raw, c.env))
  })
  router.all('/api/*', (c) => answerApi(c.req.raw, c.env))
  router.use('/pay/*', async (c, next) => {
    await assertRunning(state, prepared)
    // All notifications of a provider come from a few addresses, so they are not throttled.
    if (c.req.path !== notifyPath) throttle(`pay:${networkOf(c.env.ip)}`, rates.address(c.env.ip))
    return await next()
  })
  router.all('/pay/*', (c) => payments.fetch(c.req.raw, c.env))
  const isOperator = (request: Request, { ip }: Caller) =>
    mayReadMetrics(request.headers, ip, services.settings)
  const asker = (request: Request, caller: Caller) =>
    isOperator(request, caller) ? 'operator' : 'stranger'
  router.get('/health/live', (c) => health.live(asker(c.req.raw, c.env)))
  router.get('/health/ready', (c) => health.ready(asker(c.req.raw, c.env)))
  router.get('/metrics', (c) => {
    if (!isOperator(c.req.raw, c.env)) throw forbidden()
    return health.metrics()
  })
  router.get(securityTxtPath, (c) => {
    const text = securityTxt(services.settings, services.now())
    if (text === undefined) throw notFound()
    return c.body(text, 200, { 'content-type': 'text/plain; charset=utf-8' })
  })
  router.get('*', webRoot === undefined ? (c) => c.notFound() : staticFiles(webRoot))

  return {
    route: async (request: Request, caller: Caller): Promise<Response> => {
      try {
        const path = router.getPath(request)
        // Calls of the API, which are most requests, pass one router instead of two.
        return path.startsWith('/api/') && !isDescription(path)
          ? await answerApi(request, caller)
          : await router.fetch(request, caller)
      } catch (error) {
        // Hono passes on what is thrown but is no Error.
        return fail(error, caller, log)
      }
    },
    routeName: (request: Request) => {
      const { pathname } = new URL(request.url)
      if (pathname.startsWith('/api/')) return api.routeName(request)
      return namedPages.find((page) => pathname.startsWith(page)) ?? 'page'
    },
  }
}

/** Refuses URLs that are too long, and paths that are no valid percent-encoding or hold NUL. */
function assertGoodUrl(url: string): void {
  if (url.length > urlBytes) throw new Refusal(400, { key: 'problem.invalid' })
  if (!url.includes('%')) return
  let path: string
  try {
    path = decodeURIComponent(new URL(url).pathname)
  } catch {
    throw notFound()
  }
  if (path.includes('\0')) throw notFound()
}

/** A proxy that asks for no health sends calls as soon as the port is open, and must not repeat changes elsewhere. */
async function assertRunning(state: HealthState, prepared?: Promise<void>): Promise<void> {
  if (state.migrating && prepared !== undefined) await waitFor(prepared, preparedWithinMs)
  if (state.migrating || state.refusing === true)
    throw new Refusal(503, { key: 'problem.unavailable' }, { retryAfter: 2 })
}

async function waitFor(event: Promise<void>, milliseconds: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await Promise.race([event, late]).finally(() => clearTimeout(timer))
}
