import type { Locale } from '@jiaowu/api'
import type { Services } from '../context.ts'
import { forbidden, notFound, Refusal } from '../platform/refusal.ts'
import { cashier } from './sandbox/cashier.ts'
import { cashierPath } from './sandbox/gateway.ts'
import { notifyPath } from './wechat/gateway.ts'
import { wechatNotify } from './wechat/notify.ts'

/** Pages and notifications of payments: outside the API, for they are not called by its clients. @throws Refusal 404, 405, 403 */
export async function payRoute(
  services: Services,
  request: Request,
  pathname: string,
  locale: Locale,
): Promise<Response> {
  if (pathname === notifyPath) {
    if (request.method !== 'POST') throw new Refusal(405, { key: 'problem.methodNotAllowed' })
    return wechatNotify(services, request)
  }
  if (!pathname.startsWith(cashierPath)) throw notFound()
  if (request.headers.get('sec-fetch-site') === 'cross-site' && request.method !== 'GET')
    throw forbidden()
  return cashier(services, request, pathname, locale)
}
