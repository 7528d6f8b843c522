// Checks of AWS Signature Version 4, computed independently from the specification.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const account = { keyId: 'AKJIAOWU0TEST', secret: 'its/secret+of=the test' }
export const region = 'cn-campus-1'

/** An error reply of S3; `details` is XML. */
export interface S3ErrorReply {
  readonly status: number
  readonly code: string
  readonly details?: string
}

const requiredHeaders = ['host', 'x-amz-content-sha256', 'x-amz-date']
const authorization = new RegExp(
  '^AWS4-HMAC-SHA256 Credential=([^/]+)/(\\d{8})/([^/]+)/s3/aws4_request, ?' +
    'SignedHeaders=([\\w;-]+), ?Signature=([\\da-f]{64})$',
)

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const hashSigned = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

/** The error of an invalid request; undefined for a valid one. */
export function signatureError(
  request: IncomingMessage,
  url: URL,
  body: Buffer,
  now: number,
): S3ErrorReply | undefined {
  const [, keyId, day = '', requestRegion, signedList = '', signature = ''] =
    authorization.exec(request.headers.authorization ?? '') ?? []
  if (keyId === undefined) return { status: 403, code: 'AccessDenied' }
  if (keyId !== account.keyId) return { status: 403, code: 'InvalidAccessKeyId' }
  if (requestRegion !== region)
    return {
      status: 400,
      code: 'AuthorizationHeaderMalformed',
      details: `<Region>${region}</Region>`,
    }
  const at = parseAmzTime(String(request.headers['x-amz-date']))
  if (!(Math.abs(at - now) <= 15 * 60_000)) return { status: 403, code: 'RequestTimeTooSkewed' }
  const signed = signedList.split(';')
  const mustBeSigned = [
    ...requiredHeaders,
    ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-')),
  ]
  const isComplete = mustBeSigned.every((name) => signed.includes(name))
  if (!isComplete || signed.join() !== [...signed].sort().join())
    return { status: 403, code: 'AccessDenied' }
  const expected = signatureFor(request, url, signed, day)
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected)))
    return { status: 403, code: 'SignatureDoesNotMatch' }
  return hashSigned(body) === request.headers['x-amz-content-sha256']
    ? undefined
    : { status: 400, code: 'XAmzContentSHA256Mismatch' }
}

/** Milliseconds of `20260105T010203Z`; NaN for other texts. */
function parseAmzTime(text: string): number {
  const date = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  if (date === null) return Number.NaN
  const [year = 0, month = 1, day, hour, minute, second] = date.slice(1).map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** The signature that the request must have (AWS Signature Version 4 in a header). */
function signatureFor(
  request: IncomingMessage,
  url: URL,
  signed: readonly string[],
  day: string,
): string {
  const query = [...url.searchParams]
    .map(([name, value]) => [encodeRfc3986(name), encodeRfc3986(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&')
  const headers = signed
    .map(
      (name) =>
        `${name}:${String(request.headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}\n`,
    )
    .join('')
  const path = decodeURIComponent(url.pathname).split('/').map(encodeRfc3986).join('/')
  const canonical = [
    request.method,
    path,
    query,
    headers,
    signed.join(';'),
    String(request.headers['x-amz-content-sha256']),
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [region, 's3', 'aws4_request'].reduce(
    (made, part) => hmac(made, part),
    hmac(`AWS4${account.secret}`, day),
  )
  return hmac(
    key,
    ['AWS4-HMAC-SHA256', String(request.headers['x-amz-date']), scope, hashSigned(canonical)].join(
      '\n',
    ),
  ).toString('hex')
}

function encodeRfc3986(text: string) {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
