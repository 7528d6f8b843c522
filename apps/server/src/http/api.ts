import { type Endpoint, type Locale, may } from '@jiaowu/api'
import { writeAudit } from '../platform/audit.ts'
import { readSubject, type SessionSubject } from '../identity/subject.ts'
import type { Context, Services } from '../context.ts'
import { handlers } from '../handlers.ts'
import { forbidden, Refusal } from '../platform/refusal.ts'
import { networkOf } from './requests/address.ts'
import { readBody } from './requests/body.ts'
import { fail, succeed } from './envelope.ts'
import { withCookies } from './cookies.ts'
import { assertOwnHeaders, assertOwnSite } from './requests/own-site.ts'
import { parseBody, parseQuery } from './requests/parse.ts'
import { methodsAt, type Route, routes } from './routes.ts'
import { rates } from './requests/throttle.ts'

export interface Caller {
  readonly ip: string
  readonly locale: Locale
  readonly traceId: string
}
type Throttle = (key: string, rate: (typeof rates)[keyof typeof rates]) => void
type Params = Readonly<Record<string, string>>
type Handler = (
  input: { params: Params; query: unknown; body: unknown },
  context: Context,
) => unknown

/** Nobody: what a public call runs as. */
const nobody: SessionSubject = {
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

/** Answers every call below /api, from access to envelope. */
export function createApi(services: Services, throttle: Throttle) {
  const auditFor =
    (subject: SessionSubject, { ip, traceId }: Caller): Context['audit'] =>
    (event) =>
      writeAudit(
        services,
        {
          tenant: subject.tenant || '0',
          userId: subject.userId || null,
          account: subject.account || null,
          ip,
          traceId,
        },
        event,
      )

  const subjectOf = async (
    { endpoint }: Route,
    request: Request,
    { ip }: Caller,
  ): Promise<SessionSubject> => {
    const address = `ip:${networkOf(ip)}`
    if (endpoint.access === 'public') {
      throttle(address, rates.address)
      return nobody
    }
    const subject = await readSubject(services, request.headers.get('authorization')).catch(
      (error: unknown) => {
        throttle(address, rates.address) // whoever guesses tokens is nobody yet
        throw error
      },
    )
    throttle(`session:${subject.sessionId}`, rates.session)
    assertOwnHeaders(request, subject)
    return subject
  }

  const assertMay = async (
    { name, endpoint }: Route,
    params: Params,
    subject: SessionSubject,
    audit: Context['audit'],
  ): Promise<void> => {
    // A password that somebody else knows opens nothing but the way to a new one (docs/rules/security.md#h9).
    if (subject.mustChangePassword && !name.startsWith('session.'))
      throw new Refusal(403, { key: 'shell.mustChangePassword' })
    const { access } = endpoint
    if (access === 'public' || access === 'signed' || access === subject.kind) return
    if (
      access !== 'student' &&
      access !== 'staff' &&
      may(subject.permissions, permissionOf(endpoint, params))
    )
      return
    await audit({ action: name, object: params.tag ?? '', result: 'denied' })
    throw forbidden()
  }

  const answer = async (request: Request, url: URL, caller: Caller): Promise<Response> => {
    const isAnonymous = !request.headers.has('authorization')
    const route = routes.find(
      ({ endpoint, matches }) =>
        endpoint.method === request.method &&
        (isAnonymous || !endpoint.anonymous) &&
        matches(url.pathname) !== null,
    )
    if (route === undefined) throw unmatched(url.pathname)
    const { endpoint } = route
    const params = route.matches(url.pathname) ?? {}
    assertOwnSite(endpoint, request, url, services)
    const subject = await subjectOf(route, request, caller)
    const audit = auditFor(subject, caller)
    await assertMay(route, params, subject, audit)
    const context: Context = { ...services, ...caller, subject, request, audit }
    const query = parseQuery(endpoint, url.searchParams)
    const body = parseBody(endpoint, await readBody(endpoint, request))
    const answered = await handlerOf(route.name)({ params, query, body }, context)
    return withCookies(
      request,
      answered instanceof Response ? answered : succeed(answered, caller.traceId, endpoint.flat),
    )
  }

  return async (request: Request, url: URL, caller: Caller): Promise<Response> => {
    try {
      return await answer(request, url, caller)
    } catch (error) {
      return fail(error, caller.locale, caller.traceId, services.log)
    }
  }
}

function permissionOf({ access }: Endpoint, params: Params) {
  return access.replace(/\{(\w+)\}/g, (_hole, name: string) => params[name] ?? '')
}

function unmatched(pathname: string): Refusal {
  const methods = methodsAt(pathname)
  return methods.length === 0
    ? new Refusal(404, { key: 'problem.notFound' })
    : new Refusal(405, { key: 'problem.methodNotAllowed' })
}

function handlerOf(name: string): Handler {
  const [group = '', call = ''] = name.split('.')
  return (handlers as unknown as Record<string, Record<string, Handler>>)[group]?.[call] as Handler
}
