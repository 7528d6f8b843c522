import { type Endpoint, type Locale, may } from '@jiaowu/api'
import { writeAudit } from '../audit.ts'
import { readSubject } from '../auth/subject.ts'
import type { Context, Services, Subject } from '../context.ts'
import { handlers } from '../handlers/index.ts'
import { forbidden, Refusal } from '../refusal.ts'
import { readBody } from './body.ts'
import { fail, succeed } from './envelope.ts'
import { parseBody, parseQuery } from './parse.ts'
import { methodsAt, routes } from './routes.ts'
import { rates } from './throttle.ts'

export interface Caller { readonly ip: string; readonly locale: Locale; readonly traceId: string }
type Throttle = (key: string, rate: (typeof rates)[keyof typeof rates]) => void
type Handler = (input: { params: Readonly<Record<string, string>>; query: unknown; body: unknown }, context: Context) => unknown

const handlerOf = (name: string): Handler => {
  const [group = '', call = ''] = name.split('.')
  return (handlers as unknown as Record<string, Record<string, Handler>>)[group]?.[call] as Handler
}

/** Nobody: what a public call runs as. */
const nobody: Subject & { familyId: string } = { kind: 'staff', userId: '', account: '', name: '', tenant: '', sessionId: '', familyId: '', roles: [], roleIds: [], permissions: new Set(), org: null }

const permissionOf = ({ access }: Endpoint, params: Readonly<Record<string, string>>) => access.replace(/\{(\w+)\}/g, (_hole, name: string) => params[name] ?? '')

const unmatched = (pathname: string): Refusal => {
  const methods = methodsAt(pathname)
  return methods.length === 0 ? new Refusal(404, { key: 'problem.notFound' }) : new Refusal(405, { key: 'problem.methodNotAllowed' })
}

/** The headers account and account-id are told by the client and never trusted; a mismatch is a stolen or confused request (security H8). */
const assertOwnHeaders = ({ headers }: Request, { userId }: Subject): void => {
  const claimed = headers.get('account-id')
  if (claimed !== null && claimed !== '' && claimed !== userId) throw new Refusal(401, { key: 'problem.sessionUnknown' }, { code: 40000 })
}

/** Answers every call below /api, from access to envelope. */
export const createApi = (services: Services, throttle: Throttle) => {
  const answer = async (request: Request, url: URL, caller: Caller): Promise<Response> => {
    const route = routes.find(({ endpoint, matches }) => endpoint.method === request.method && matches(url.pathname) !== null)
    if (route === undefined) throw unmatched(url.pathname)
    const { endpoint } = route
    const params = route.matches(url.pathname) ?? {}
    if (request.headers.get('sec-fetch-site') === 'cross-site' && request.method !== 'GET') throw forbidden()
    if (endpoint.access === 'public') throttle(`ip:${caller.ip}`, rates.address)
    const subject = endpoint.access === 'public' ? nobody : await readSubject(services, request.headers.get('authorization'))
    const audit: Context['audit'] = (event) => writeAudit(services, { tenant: subject.tenant || '0', userId: subject.userId || null, account: subject.account || null, ip: caller.ip, traceId: caller.traceId }, event)
    if (endpoint.access !== 'public') {
      throttle(`session:${subject.sessionId}`, rates.session)
      assertOwnHeaders(request, subject)
      if (endpoint.access !== 'signed' && !may(subject.permissions, permissionOf(endpoint, params))) {
        await audit({ action: route.name, object: params.tag ?? '', result: 'denied' })
        throw forbidden()
      }
    }
    const context: Context = { ...services, ...caller, subject, request, audit }
    const query = parseQuery(endpoint, url.searchParams)
    const body = parseBody(endpoint, await readBody(endpoint, request))
    const answered = await handlerOf(route.name)({ params, query, body }, context)
    return answered instanceof Response ? answered : succeed(answered, caller.traceId, endpoint.flat)
  }

  return async (request: Request, url: URL, caller: Caller): Promise<Response> => {
    try {
      return await answer(request, url, caller)
    } catch (error) {
      const response = fail(error, caller.locale, caller.traceId, services.log)
      if (response.status === 405) response.headers.set('allow', methodsAt(url.pathname).join(', '))
      return response
    }
  }
}
