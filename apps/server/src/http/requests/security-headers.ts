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

const always: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/**
 * Adds the headers of every reply; keeps a reply's own policy, such as the sandbox of files. A copy of the
 * reply would be sent as a stream, headers and body apart.
 */
export function withSecurityHeaders(response: Response, secure: boolean): Response {
  const { headers } = response
  for (const [name, value] of Object.entries(always)) headers.set(name, value)
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', contentPolicy)
  if (secure) headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains')
  return response
}
