// One audit line for every denial of every route (docs/rules/security.md#l1).
import { cutText } from '@jiaowu/api/cut-text'
import type { Services } from '../model/context.ts'
import type { AuditActor } from '../platform/audit/line.ts'
import { auditAlone } from '../platform/audit/write.ts'
import { Refusal } from '../platform/refusal.ts'
import { networkOf } from '../platform/requests/address.ts'
import type { Route } from './routes.ts'

export interface Denied {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
  readonly actor: AuditActor
  readonly error: unknown
}

/** Lines a minute for callers without a session, per address and route, so that they cannot fill the log. */
const anonymousLines = 10
const minute = 60_000

/**
 * Records a refusal that is a denial: 403, and for callers with a session 404, which a hidden row
 * and a missing one share. Both are recorded alike, so that the time to answer does not tell them
 * apart.
 */
export function createDenials(services: Services): (denied: Denied) => Promise<void> {
  const counts = new Map<string, number>()
  let since = 0
  const isOverLimit = ({ actor: { ip }, route }: Denied): boolean => {
    const now = services.now().getTime()
    if (Math.abs(now - since) >= minute) {
      counts.clear()
      since = now
    }
    const key = `${networkOf(ip)} ${route.name}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count > anonymousLines
  }
  return async (denied) => {
    const { route, params, actor, error } = denied
    if (!(error instanceof Refusal)) return
    const isDenial = error.status === 403 || (error.status === 404 && actor.userId !== null)
    if (!isDenial || (actor.userId === null && isOverLimit(denied))) return
    await auditAlone(services, actor, {
      action: route.name,
      object: params.tag ?? params.bizType ?? '',
      ...(params.id === undefined ? {} : { objectId: cutText(params.id, 200) }),
      result: 'denied',
      detail: { status: error.status, why: error.text.key, ...error.text.params },
    })
  }
}
