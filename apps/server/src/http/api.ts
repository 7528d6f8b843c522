import { type Endpoint, may } from '@jiaowu/api'
import type { Context as HonoContext } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Context, Services } from '../context.ts'
import { handlers } from '../handlers.ts'
import { readSubject, type SessionSubject } from '../identity/subject.ts'
import { writeAudit } from '../platform/audit.ts'
import { forbidden, Refusal } from '../platform/refusal.ts'
import { succeed } from './envelope.ts'
import { networkOf } from './requests/address.ts'
import { readBody } from './requests/body.ts'
import { assertOwnHeaders, assertOwnSite } from './requests/own-site.ts'
import { parseBody, parseQuery } from './requests/parse.ts'
import { type Throttle, rates } from './requests/throttle.ts'
import { type Caller, createRouter, patternAt } from './router.ts'
import { declaredPath, type Route, routes } from './routes.ts'

type Params = Readonly<Record<string, string>>
type Handler = (
  input: { params: Params; query: unknown; body: unknown },
  context: Context,
) => unknown
type ApiContext = HonoContext<{ Bindings: Caller }>

export interface Api {
  readonly fetch: (request: Request, caller: Caller) => Response | Promise<Response>
  /**
   * The path as the contract declares it, for metrics: requested paths hold ids and would give the
   * label unbounded values. `unknown` where no call answers.
   */
  readonly routeName: (request: Request) => string
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
  roles: [],
  roleIds: [],
  permissions: new Set(),
  org: null,
}

/** Answers every call of the contract below /api: access, input, handler, envelope. */
export function createApi(services: Services, throttle: Throttle): Api {
  const router = createRouter({ log: services.log, head: false })
  for (const route of routes) {
    const { anonymous: isForAnonymous, method } = route.endpoint
    router.on(method, route.pattern, (c, next) =>
      isForAnonymous && c.req.raw.headers.has('authorization')
        ? next()
        : answer(services, throttle, route, c),
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

async function answer(
  services: Services,
  throttle: Throttle,
  route: Route,
  c: ApiContext,
): Promise<Response> {
  const { endpoint } = route
  const request = c.req.raw
  const url = new URL(request.url)
  const params = c.req.param()
  assertOwnSite(endpoint, request, url, services)
  const subject = await subjectOf(services, throttle, endpoint, c)
  const audit = auditFor(services, subject, c.env)
  await assertMay(route, params, subject, audit)
  const context: Context = {
    ...services,
    ...c.env,
    subject,
    request,
    cookies: {
      get: (name) => getCookie(c, name),
      set: (name, value, options) => setCookie(c, name, value, options),
    },
    audit,
  }
  const query = parseQuery(endpoint, url.searchParams)
  const body = parseBody(endpoint, await readBody(endpoint, request))
  const answered = await handlerOf(route.name)({ params, query, body }, context)
  const response =
    answered instanceof Response ? answered : succeed(answered, c.env.traceId, endpoint.flat)
  // Adds the cookies that the handler has set.
  return c.newResponse(response.body, response)
}

async function subjectOf(
  services: Services,
  throttle: Throttle,
  { access }: Endpoint,
  { req: { raw: request }, env: { ip } }: ApiContext,
): Promise<SessionSubject> {
  const address = `ip:${networkOf(ip)}`
  if (access === 'public') {
    throttle(address, rates.address)
    return anonymous
  }
  const subject = await readSubject(services, request.headers.get('authorization')).catch(
    (error: unknown) => {
      // An invalid token counts against the address, which limits guessing.
      throttle(address, rates.address)
      throw error
    },
  )
  throttle(`session:${subject.sessionId}`, rates.session)
  assertOwnHeaders(request, subject)
  return subject
}

function auditFor(
  services: Services,
  subject: SessionSubject,
  { ip, traceId }: Caller,
): Context['audit'] {
  const actor = {
    tenant: subject.tenant || '0',
    userId: subject.userId || null,
    account: subject.account || null,
    ip,
    traceId,
  }
  return (event) => writeAudit(services, actor, event)
}

/** @throws Refusal 403 */
async function assertMay(
  { name, endpoint }: Route,
  params: Params,
  subject: SessionSubject,
  audit: Context['audit'],
): Promise<void> {
  // With a password that an administrator has set, only the way to a new one is open
  // (docs/rules/security.md#h9).
  if (subject.mustChangePassword && !name.startsWith('session.'))
    throw new Refusal(403, { key: 'shell.mustChangePassword' })
  const { access } = endpoint
  if (access === 'public' || access === 'signed' || access === subject.kind) return
  const isPermission = access !== 'student' && access !== 'staff'
  if (isPermission && may(subject.permissions, permissionOf(endpoint, params))) return
  await audit({ action: name, object: params.tag ?? '', result: 'denied' })
  throw forbidden()
}

function permissionOf({ access }: Endpoint, params: Params): string {
  return access.replace(/\{(\w+)\}/g, (_placeholder, name: string) => params[name] ?? '')
}

function handlerOf(name: string): Handler {
  const [group = '', call = ''] = name.split('.')
  return (handlers as unknown as Record<string, Record<string, Handler>>)[group]?.[call] as Handler
}
