import { defaultTenant } from '@jiaowu/api/limits'
import type { Endpoint } from '@jiaowu/api/endpoint'
import { idempotencyHeader } from '@jiaowu/api/problem'
import { may, platformPermission } from '@jiaowu/api/entity/permission'
import type { Context as HonoContext } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Context, ServerHandlers, Services } from '../model/context.ts'
import type { CallerProof } from '../platform/context.ts'
import { CallerChanged, type SessionSubject } from '../identity/callers.ts'
import { assertFreshProof } from '../identity/fresh-proof.ts'
import { assertStaffNetwork } from '../identity/staff-networks.ts'
import { isFactorMissing } from '../identity/factor/factors.ts'
import { readCaller } from '../identity/read-caller.ts'
import { recallSubject } from '../identity/subject.ts'
import type { AuditActor } from '../platform/audit/line.ts'
import { auditAlone, auditIn } from '../platform/audit/write.ts'
import { proveAtCommit } from '../platform/database/finish-write.ts'
import { duringTransactions } from '../platform/database/transact.ts'
import { scanUploads } from '../platform/files/scan/scan-uploads.ts'
import { forbidden, notFound, Refusal } from '../platform/refusal.ts'
import { succeed, succeedCompressed } from './envelope.ts'
import { createDenials } from './denials.ts'
import { answerOnce, type CallInput, type Recoveries } from './keyed-call.ts'
import { networkOf } from '../platform/requests/address.ts'
import { readBody } from './requests/body.ts'
import { assertOwnHeaders, assertOwnSite } from './requests/own-site.ts'
import { parseBody, parseQuery } from './requests/parse.ts'
import { createRates, type Rates, type Throttle } from './requests/throttle.ts'
import { createRouter, patternAt } from './router.ts'
import type { Caller } from '../platform/requests/caller.ts'
import { declaredPath, type Route, routes } from './routes.ts'

type Params = Readonly<Record<string, string>>
type Handler = (input: CallInput, context: Context) => unknown
type ApiContext = HonoContext<{ Bindings: Caller }>

export interface Api {
  readonly fetch: (request: Request, caller: Caller) => Response | Promise<Response>
  /**
   * The path as the contract declares it, for metrics, of a request that no call was found for yet: requested
   * paths hold ids and would give the label unbounded values. `unknown` where no call answers.
   */
  readonly routeName: (request: Request) => string
}

/** The work of the calls, which the domains do. */
export interface Calls {
  readonly handlers: ServerHandlers
  readonly recoveries: Recoveries
  /** Looks at the input of every call before its handler gets it. @throws Refusal */
  readonly guardInput: (context: Context, input: CallInput) => Promise<void>
}

/** The subject of calls that need no session. */
const anonymous: SessionSubject = {
  kind: 'staff',
  userId: '',
  account: '',
  name: '',
  tenant: '',
  sessionId: '',
  mustChangePassword: false,
  factor: 'proven',
  roles: [],
  roleIds: [],
  permissions: new Set(),
  grants: [],
  org: null,
  person: null,
}

/** Answers every call of the contract below /api: access, input, handler, envelope. */
export function createApi(services: Services, throttle: Throttle, calls: Calls): Api {
  const router = createRouter({ log: services.log, head: false })
  const recordDenial = createDenials(services)
  const rates = createRates(services.settings)
  for (const route of routes) {
    const { anonymous: isForAnonymous, method } = route.endpoint
    router.on(method, route.pattern, (c, next) =>
      isForAnonymous && c.req.raw.headers.has('authorization')
        ? next()
        : answerCall({ services, throttle, rates, calls, recordDenial }, route, c),
    )
  }
  return {
    fetch: router.fetch,
    routeName: (request) => {
      const pattern = patternAt(router, request.method, router.getPath(request))
      return pattern === undefined ? 'unknown' : declaredPath(pattern)
    },
  }
}

interface Shared {
  readonly services: Services
  readonly throttle: Throttle
  readonly rates: Rates
  readonly calls: Calls
  readonly recordDenial: ReturnType<typeof createDenials>
}

/** A request with what every attempt to answer it needs. */
interface Call {
  readonly route: Route
  readonly c: ApiContext
  readonly params: Params
  /** Read once, because it is a stream. */
  readonly body: () => Promise<unknown>
  /** Counts the call against its session, once. @throws Refusal 429 */
  readonly throttle: (subject: SessionSubject) => void
}

/** Every refusal passes here, so that no handler has to record its own denials. */
async function answerCall(shared: Shared, route: Route, c: ApiContext): Promise<Response> {
  const { services } = shared
  c.env.declaredPath = route.endpoint.path
  const call = prepareCall(shared, route, c)
  let subject = anonymous
  try {
    assertOwnSite(route.endpoint, c.req.raw, services)
    const early = await answerRecalled(shared, call, (proven) => {
      subject = proven
    })
    if (early !== undefined) return early
    subject = await authenticate(shared, call)
    assertAdmitted(services, call, subject)
    return await replyToCall(shared, call, subject)
  } catch (error) {
    const { params } = call
    await shared.recordDenial({ route, params, actor: toActor(subject, c.env), error })
    throw error
  }
}

function prepareCall({ throttle, rates }: Shared, route: Route, c: ApiContext): Call {
  let body: Promise<unknown> | undefined
  let counted = ''
  return {
    route,
    c,
    params: readParams(route, c),
    body: () => (body ??= readBody(route.endpoint, c.req.raw)),
    throttle: ({ sessionId, token }) => {
      const key = token === undefined ? `session:${sessionId}` : `token:${token.id}`
      if (counted === key) return
      counted = key
      throttle(key, token === undefined ? rates.session : rates.token(token.perSecond))
    },
  }
}

/**
 * The parameters of the path. A list of row ids stays as it was sent, because an id may hold a comma
 * (docs/rules/contract.md#row-ids).
 */
function readParams({ endpoint }: Route, c: ApiContext): Params {
  const params: Params = c.req.param()
  if (params['ids'] === undefined) return params
  const declared = endpoint.path.split('/')
  const sent = new URL(c.req.raw.url).pathname.split('/')
  return { ...params, ids: sent.at(declared.indexOf('{ids}') - declared.length) ?? '' }
}

/**
 * The answer to a caller that is remembered, if a statement of the call has shown that nothing about
 * the caller has changed. Otherwise, and after a refusal without that proof, the call is made anew for
 * the caller as the database knows it, so that no answer and no refusal comes from memory alone.
 * @param onProven called before a refusal of a proven caller is thrown
 */
async function answerRecalled(
  shared: Shared,
  call: Call,
  onProven: (subject: SessionSubject) => void,
): Promise<Response | undefined> {
  const { services } = shared
  const { route, c } = call
  const { proven } = route.endpoint
  if (proven === 'before') return undefined
  const request = c.req.raw
  // The key is kept in a transaction of its own.
  if (proven === 'atCommit' && request.headers.has(idempotencyHeader)) return undefined
  const recalled = recallSubject(services, request.headers.get('authorization'))
  if (recalled === undefined) return undefined
  const { subject, proof, isProven } = recalled
  try {
    call.throttle(subject)
    assertOwnHeaders(request, subject)
    assertAdmitted(services, call, subject)
    if (proven === 'beside') {
      const [made, confirmed] = await Promise.allSettled([
        replyToCall(shared, call, subject),
        proof.confirm(),
      ])
      if (confirmed.status === 'rejected') throw confirmed.reason
      // A refusal may have cost seconds and a count, as of custom SQL that is too slow.
      if (made.status === 'rejected') throw made.reason
      return made.value
    }
    const response = await (proven === 'atCommit'
      ? duringTransactions(
          async (trx) => proveAtCommit(trx, proof),
          () => replyToCall(shared, call, subject),
        )
      : replyToCall(shared, call, subject, proof))
    return isProven() ? response : undefined
  } catch (error) {
    const stands = proven !== 'within' && isProven()
    if (stands) onProven(subject)
    if (error instanceof CallerChanged || (error instanceof Refusal && !stands)) return undefined
    // Failures of another kind, such as a database that is away, are not tried twice.
    throw error
  }
}

async function replyToCall(
  { services, calls }: Shared,
  { route, c, params, body }: Call,
  subject: SessionSubject,
  proof?: CallerProof,
): Promise<Response> {
  const { endpoint, name } = route
  const request = c.req.raw
  const { kysely } = services.database
  const actor = toActor(subject, c.env)
  let hasCookies = false
  const context: Context = {
    ...services,
    ...c.env,
    subject,
    ...(proof !== undefined && { proof }),
    request,
    cookies: {
      get: (cookie) => getCookie(c, cookie),
      set: (cookie, value, options) => {
        hasCookies = true
        setCookie(c, cookie, value, options)
      },
    },
    proveFresh: async (trx) => {
      if (endpoint.fresh === false)
        throw new Error(`${name} does not declare that it asks for a proof`)
      if (subject.token !== undefined) throw new Refusal(403, { key: 'token.notOpen' })
      await assertFreshProof(context, (trx as typeof kysely | undefined) ?? kysely)
    },
    audit: (event, trx) => auditIn(services, trx, actor, event),
    auditAlone: (event) => auditAlone(services, actor, event),
  }
  const query = parseQuery(endpoint, request.url)
  const input = { params, query, body: parseBody(endpoint, await body()) }
  await calls.guardInput(context, input)
  if (endpoint.fresh === true) await context.proveFresh()
  // Every file arrives in a multipart body; forms of rows have none (readBody).
  if (endpoint.bodyKind === 'multipart') await scanUploads(context, name, input.body)
  const response = await answerOnce(route, context, input, calls.recoveries, async () => {
    const answered = await findHandler(calls.handlers, name)(input, context)
    if (answered instanceof Response) return answered
    const { headers } = request
    // An answer that is kept for its key is read back as text.
    return headers.has(idempotencyHeader)
      ? succeed(answered, c.env.traceId, endpoint.flat)
      : succeedCompressed(headers.get('accept-encoding'), answered, c.env.traceId, endpoint.flat)
  })
  // Copies the reply only where a cookie is to be added.
  return hasCookies ? c.newResponse(response.body, response) : response
}

async function authenticate(
  { services, throttle, rates }: Shared,
  { route, c, throttle: throttleSession }: Call,
): Promise<SessionSubject> {
  const { access } = route.endpoint
  const { raw: request } = c.req
  const address = `ip:${networkOf(c.env.ip)}`
  if (access === 'public') {
    throttle(address, rates.address(c.env.ip))
    return anonymous
  }
  const subject = await readCaller(services, request.headers.get('authorization')).catch(
    (error: unknown) => {
      // An invalid token counts against the address, which limits guessing.
      throttle(address, rates.address(c.env.ip))
      throw error
    },
  )
  throttleSession(subject)
  assertOwnHeaders(request, subject)
  return subject
}

function toActor(
  { tenant, userId, account, token }: SessionSubject,
  { ip, traceId }: Caller,
): AuditActor {
  return {
    tenant: tenant || '0',
    userId: userId || null,
    account: account || null,
    ip,
    traceId,
    ...(token !== undefined && { token: token.name }),
  }
}

/** Where the caller calls from, the factor that they need, and what they may. @throws Refusal 403, 404 */
function assertAdmitted(services: Services, { route, c, params }: Call, subject: SessionSubject) {
  if (subject.tenant !== '') c.env.school = subject.tenant
  assertNetwork(services, route, c, subject)
  assertFactor(services, route, c, subject)
  assertMay(route, params, subject)
}

/** Staff call from the networks of the school; public calls have no caller. @throws Refusal 403 */
function assertNetwork(
  { settings }: Services,
  { endpoint }: Route,
  { env }: ApiContext,
  { kind }: SessionSubject,
): void {
  if (kind === 'staff' && endpoint.access !== 'public') assertStaffNetwork(settings, env.ip)
}

/** Calls that are open to a session whose account lacks a factor that is demanded. */
const openWithoutFactor: ReadonlySet<string> = new Set(['session', 'factor', 'reauthentication'])

/** Passes unless a second factor is demanded and missing (docs/rules/security.md#s10). @throws Refusal 403 */
function assertFactor(
  { settings }: Services,
  { name, endpoint }: Route,
  { env }: ApiContext,
  { kind, factor }: SessionSubject,
): void {
  if (kind !== 'staff' || endpoint.access === 'public') return
  if (!isFactorMissing(settings, factor, env.ip)) return
  if (!openWithoutFactor.has(name.split('.')[0] ?? ''))
    throw new Refusal(403, { key: 'factor.mustEnrol' })
}

/** Groups of calls that programs may make by a token, as far as a right on an entity opens them. */
const openToTokens: ReadonlySet<string> = new Set(['entityData', 'history', 'tree'])

const openCalls: ReadonlySet<string> = new Set([
  'session.whoami',
  'agent.entities',
  'agent.todo',
  'agent.case',
  'proposals.propose',
  'proposals.list',
  'proposals.read',
])

function isOpenToTokens(name: string, { access, fresh }: Endpoint): boolean {
  if (access === 'public' || openCalls.has(name)) return true
  const isOfEntity = access.startsWith('entity:{tag}:') && fresh !== true
  return isOfEntity && openToTokens.has(name.split('.')[0] ?? '')
}

/** Looks at rights before the body is read. @throws Refusal 403, 404 for calls that a school does not have */
function assertMay({ name, endpoint }: Route, params: Params, subject: SessionSubject): void {
  // With a password that an administrator has set, only the way to a new one is open
  // (docs/rules/security.md#h9).
  if (subject.token !== undefined && !isOpenToTokens(name, endpoint))
    throw new Refusal(403, { key: 'token.notOpen' })
  if (subject.mustChangePassword && !name.startsWith('session.'))
    throw new Refusal(403, { key: 'shell.mustChangePassword' })
  const { access } = endpoint
  if (access === 'public' || access === 'signed' || access === subject.kind) return
  const isPermission = access !== 'student' && access !== 'staff'
  if (isPermission && may(subject.permissions, fillPermission(endpoint, params))) {
    if (access === platformPermission && subject.tenant !== defaultTenant) throw notFound()
    return
  }
  throw forbidden()
}

function fillPermission({ access }: Endpoint, params: Params): string {
  return access.replace(/\{(\w+)\}/g, (_placeholder, name: string) => params[name] ?? '')
}

function findHandler(handlers: ServerHandlers, name: string): Handler {
  const [group = '', call = ''] = name.split('.')
  return (handlers as unknown as Record<string, Record<string, Handler>>)[group]?.[call] as Handler
}
