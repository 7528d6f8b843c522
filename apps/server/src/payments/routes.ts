import type { Services } from '../model/context.ts'
import type { Router } from '../platform/requests/caller.ts'
import { forbidden } from '../platform/refusal.ts'
import { cashier } from './sandbox/cashier.ts'
import { cashierPath } from './sandbox/gateway.ts'
import { notifyPath } from './wechat/gateway.ts'
import { wechatNotify } from './wechat/notify.ts'

/**
 * Pages and notifications of payments. They are not part of the API, because providers and browsers
 * call them instead of its clients. Adds them to a router.
 */
export function payRoutes(services: Services, router: Router): Router {
  router.post(notifyPath, (c) => wechatNotify(services, c.req.raw))
  router.on(['GET', 'POST'], `${cashierPath}*`, (c) => {
    if (c.req.header('sec-fetch-site') === 'cross-site' && c.req.method !== 'GET') throw forbidden()
    return cashier(services, c.req.raw, c.req.path, c.env.locale)
  })
  return router
}
