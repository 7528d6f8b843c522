import type { Endpoint } from '@jiaowu/api'
import type { Services, Subject } from '../../context.ts'
import { forbidden, Refusal } from '../../platform/refusal.ts'

const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null)

/**
 * A page of another site may not act through a person's browser (docs/rules/security.md#w3). Browsers say where a request comes from; on plain
 * http they only send Origin, which then must be ours wherever a bare HTML form could send the body. @throws Refusal 403
 */
export function assertOwnSite(
  { bodyKind, body }: Endpoint,
  { method, headers }: Request,
  url: URL,
  { settings }: Pick<Services, 'settings'>,
): void {
  if (method === 'GET') return
  const site = headers.get('sec-fetch-site')
  if (site === 'cross-site') throw forbidden()
  const origin = headers.get('origin')
  if (site !== null || origin === null || body === undefined || bodyKind === 'json') return
  const host = hostOf(origin)
  if (host !== url.host && host !== hostOf(settings.publicUrl)) throw forbidden()
}

/** The headers account and account-id are told by the client and never trusted; a mismatch is a stolen or confused request (docs/rules/security.md#h8). @throws Refusal 401 */
export function assertOwnHeaders({ headers }: Request, { userId, account }: Subject): void {
  const [id, name] = [headers.get('account-id') ?? '', decoded(headers.get('account') ?? '')]
  if ((id !== '' && id !== userId) || (name !== '' && name !== account))
    throw new Refusal(401, { key: 'problem.sessionUnknown' }, { code: 40000 })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
