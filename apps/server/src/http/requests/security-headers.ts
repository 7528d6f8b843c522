import { findTrace, requestIdHeader, type Trace } from '../../platform/requests/trace.ts'

/**
 * No inline code, no other origins, DOM sinks only through the sanitiser's policy
 * (docs/rules/security.md#w1).
 */
const contentPolicy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' data: blob:`,
  `font-src 'self'`,
  `connect-src 'self'`,
  `frame-src blob:`,
  `worker-src 'self'`,
  `object-src 'none'`,
  `base-uri 'none'`,
  `form-action 'self'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
  `trusted-types dompurify default`,
].join('; ')

/** The headers of every reply, for those that are made with all of their headers at once. */
const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'content-security-policy': contentPolicy,
}
const made = new WeakSet<Response>()

/** The headers that depend on the call's connection and on the running build of the web. */
export function buildReplyHeaders(
  secure: boolean,
  hstsMaxAge: number,
  build: string | undefined,
): Readonly<Record<string, string>> {
  return {
    ...(build !== undefined && { 'x-build': build }),
    ...(secure && { 'strict-transport-security': `max-age=${hstsMaxAge}; includeSubDomains` }),
  }
}

/**
 * A reply that has them already, and those of its call. Changing its headers afterwards takes the listener ten times as
 * long, because it makes a `Headers` of them.
 */
export function replySecured(
  body: string | Buffer<ArrayBuffer>,
  status: number,
  headers: Record<string, string>,
): Response {
  const response = new Response(body, {
    status,
    headers: { ...securityHeaders, ...findTrace()?.reply, ...headers },
  })
  made.add(response)
  return response
}

/**
 * Adds the headers of every reply; keeps a reply's own policy, such as the sandbox of files. A copy of the
 * reply would be sent as a stream, headers and body apart.
 */
export function withSecurityHeaders(
  response: Response,
  { id, reply }: Pick<Trace, 'id' | 'reply'>,
): Response {
  if (made.has(response)) return response
  const { headers } = response
  headers.set(requestIdHeader, id)
  for (const [name, value] of Object.entries({ ...securityHeaders, ...reply }))
    if (name !== 'content-security-policy' || !headers.has(name)) headers.set(name, value)
  return response
}
