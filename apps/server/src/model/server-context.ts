// Contexts in which the server acts by itself: no account stands behind them, and no request.
import { auditAlone, auditIn } from '../platform/audit/write.ts'
import { noRequest } from '../platform/context.ts'
import type { Context, Services } from './context.ts'

/** The server in a line of the audit log. */
export function buildServerActor(tenant: string) {
  return { tenant, userId: null, account: null, ip: '', traceId: '' }
}

/** `own`: the id and the name that rows and histories keep, and the permissions. */
export function buildServerContext(
  services: Services,
  tenant: string,
  own: Pick<Context['subject'], 'userId' | 'name' | 'permissions'>,
): Context {
  const actor = buildServerActor(tenant)
  return {
    ...services,
    ...noRequest,
    subject: {
      kind: 'staff',
      account: '',
      tenant,
      sessionId: '',
      roles: [],
      roleIds: [],
      grants: [],
      org: null,
      person: null,
      ...own,
    },
    locale: 'zh-CN',
    ip: '',
    traceId: '',
    request: new Request('http://jiaowu.invalid/'),
    audit: (event, trx) => auditIn(services, trx, actor, event),
    auditAlone: (event) => auditAlone(services, actor, event),
  }
}
