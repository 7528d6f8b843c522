import type { Endpoint } from '@jiaowu/api/endpoint'
import type { Services } from '../../model/context.ts'
import type { Subject } from '../../platform/context.ts'
import { forbidden, Refusal } from '../../platform/refusal.ts'

const parseHost = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null)

/**
 * Refuses requests that a page of another site makes (docs/rules/security.md#w3). Browsers send
 * Sec-Fetch-Site; over plain HTTP only Origin, which must be ours where an HTML form could send the
 * body. @throws Refusal 403
 */
export function assertOwnSite(
  { bodyKind, body }: Endpoint,
  { method, headers, url }: Request,
  { settings }: Pick<Services, 'settings'>,
): void {
  if (method === 'GET') return
  const site = headers.get('sec-fetch-site')
  if (site === 'cross-site') throw forbidden()
  const origin = headers.get('origin')
  if (site !== null || origin === null || body === undefined || bodyKind === 'json') return
  const host = parseHost(origin)
  if (host !== parseHost(url) && host !== parseHost(settings.publicUrl)) throw forbidden()
}

/**
 * Refuses a request whose headers account and account-id differ from its session. They come from the
 * client and are never trusted (docs/rules/security.md#h8). @throws Refusal 401
 */
export function assertOwnHeaders({ headers }: Request, { userId, account }: Subject): void {
  const [id, name] = [headers.get('account-id') ?? '', decodeOrKeep(headers.get('account') ?? '')]
  if ((id !== '' && id !== userId) || (name !== '' && name !== account))
    throw new Refusal(401, { key: 'problem.sessionUnknown' }, { code: 40000 })
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
