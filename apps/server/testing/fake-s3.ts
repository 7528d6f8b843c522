// A small S3 in this process, which reckons every signature anew from the specification and can be told to misbehave.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StoredObject {
  readonly bytes: Buffer
  readonly meta: Readonly<Record<string, string>>
  modified: Date
}
export interface Seen {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
}
/** What happens to the next calls that fit, instead of an answer: a status with its code, half an answer and an end or a standstill, or no answer at all. */
export interface Misdeed {
  readonly method?: string
  readonly path?: RegExp
  readonly times: number
  readonly answer:
    | { readonly status: number; readonly code: string }
    | 'cut'
    | 'stall'
    | 'silence'
    | 'hang up'
}

export interface FakeS3 {
  readonly url: string
  readonly bucket: string
  /** For `FILE_DRIVER=s3`. */
  readonly env: Readonly<Record<string, string>>
  readonly objects: Map<string, StoredObject>
  readonly seen: Seen[]
  /** Answers that are being sent at this moment. */
  readonly sending: () => number
  readonly misbehave: (misdeed: Misdeed) => void
  /** Milliseconds its clock is ahead. */
  skew: number
  readonly close: () => Promise<void>
}

const account = { keyId: 'AKJIAOWU0TEST', secret: 'its/secret+of=the test' }
const region = 'cn-campus-1'
const bucket = 'jiaowu-files'

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

interface Fault {
  readonly status: number
  readonly code: string
  readonly more?: string
}
const must = ['host', 'x-amz-content-sha256', 'x-amz-date']

/** `pageSize`: how many keys it lists at once. */
export async function fakeS3({ pageSize = 1000 } = {}): Promise<FakeS3> {
  const objects = new Map<string, StoredObject>()
  const seen: Seen[] = []
  const misdeeds: { misdeed: Misdeed; left: number }[] = []
  const clock = { skew: 0 }
  let sending = 0

  const serve = (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    key: string,
    body: Buffer,
    half: 'cut' | 'stall' | null,
  ): void => {
    const object = objects.get(key)
    if (request.method === 'PUT') {
      const meta = Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) =>
          name.startsWith('x-amz-meta-') ? [[name, String(value)]] : [],
        ),
      )
      objects.set(key, { bytes: body, meta, modified: new Date() })
      response.writeHead(200, { etag: '"made"' }).end()
    } else if (request.method === 'DELETE') {
      objects.delete(key)
      response.writeHead(204).end()
    } else if (key === '') {
      response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(listing(objects, url.searchParams, pageSize))
    } else if (object === undefined) {
      if (request.method === 'HEAD') response.writeHead(404).end()
      else refuse(response, { status: 404, code: 'NoSuchKey' }, Date.now())
    } else {
      response.writeHead(200, {
        ...object.meta,
        'content-length': object.bytes.byteLength,
        'content-type': 'application/octet-stream',
      })
      if (request.method === 'HEAD') {
        response.end()
        return
      }
      sending += 1
      response.once('close', () => {
        sending -= 1
      })
      if (half !== null)
        response.write(object.bytes.subarray(0, Math.ceil(object.bytes.byteLength / 2)), () => {
          if (half === 'cut') response.destroy()
        })
      else response.end(object.bytes)
    }
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? ''}`)
    const body = await bodyOf(request).catch(() => null)
    if (body === null) return
    const [, name, ...rest] = decodeURIComponent(url.pathname).split('/')
    seen.push({
      method: request.method ?? '',
      path: rest.join('/'),
      query: url.searchParams,
      headers: request.headers,
    })
    const now = Date.now() + clock.skew
    const no =
      objection(request, url, body, now) ??
      (name === bucket ? undefined : { status: 404, code: 'NoSuchBucket' })
    if (no !== undefined) {
      refuse(response, no, now)
      return
    }
    const due = misdeeds.find(
      ({ misdeed: { method, path }, left }) =>
        left > 0 &&
        (method ?? request.method) === request.method &&
        (path ?? /^/).test(rest.join('/')),
    )
    if (due !== undefined) due.left -= 1
    const answer = due?.misdeed.answer
    if (answer === 'silence') return
    if (answer === 'hang up') {
      request.socket.destroy()
      return
    }
    if (typeof answer === 'object') {
      refuse(response, answer, now)
      return
    }
    serve(request, response, url, rest.join('/'), body, answer ?? null)
  }

  const server = createServer((request, response) => {
    void handle(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    bucket,
    objects,
    seen,
    env: {
      FILE_DRIVER: 's3',
      S3_ENDPOINT: url,
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: account.keyId,
      S3_SECRET_ACCESS_KEY: account.secret,
    },
    sending: () => sending,
    misbehave: (misdeed) => {
      misdeeds.push({ misdeed, left: misdeed.times })
    },
    get skew() {
      return clock.skew
    },
    set skew(ms) {
      clock.skew = ms
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** ListObjectsV2, at most `most` keys a page. */
function listing(
  objects: ReadonlyMap<string, StoredObject>,
  query: URLSearchParams,
  most: number,
): string {
  const after =
    query.get('continuation-token') === null
      ? ''
      : Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort()
  const page = keys.slice(0, Math.min(most, Number(query.get('max-keys') ?? 1000)))
  const rows = page.map((key) => {
    const { bytes, modified } = objects.get(key) as StoredObject
    return `<Contents><Key>${xmlText(key)}</Key><LastModified>${modified.toISOString()}</LastModified><Size>${bytes.byteLength}</Size></Contents>`
  })
  const next =
    page.length < keys.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${Buffer.from(page.at(-1) ?? '').toString('base64')}</NextContinuationToken>`
      : '<IsTruncated>false</IsTruncated>'
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${rows.join('')}${next}</ListBucketResult>`
}

function xmlText(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function refuse(response: ServerResponse, { status, code, more = '' }: Fault, now: number): void {
  response.writeHead(status, {
    'content-type': 'application/xml',
    date: new Date(now).toUTCString(),
  })
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>no &amp; no</Message>${more}</Error>`,
  )
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** Why the request is not let in; undefined when it is. */
function objection(
  request: IncomingMessage,
  url: URL,
  body: Buffer,
  now: number,
): Fault | undefined {
  const [, keyId, day = '', asked, signedList = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([\da-f]{64})$/.exec(
      request.headers.authorization ?? '',
    ) ?? []
  if (keyId === undefined) return { status: 403, code: 'AccessDenied' }
  if (keyId !== account.keyId) return { status: 403, code: 'InvalidAccessKeyId' }
  if (asked !== region)
    return { status: 400, code: 'AuthorizationHeaderMalformed', more: `<Region>${region}</Region>` }
  const date = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(
    String(request.headers['x-amz-date']),
  )
  const at =
    date === null
      ? Number.NaN
      : Date.UTC(
          Number(date[1]),
          Number(date[2]) - 1,
          Number(date[3]),
          Number(date[4]),
          Number(date[5]),
          Number(date[6]),
        )
  if (!(Math.abs(at - now) <= 15 * 60_000)) return { status: 403, code: 'RequestTimeTooSkewed' }
  const signed = signedList.split(';')
  const unsigned = [
    ...must,
    ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-')),
  ].some((name) => !signed.includes(name))
  if (unsigned || signed.join() !== [...signed].sort().join())
    return { status: 403, code: 'AccessDenied' }
  if (
    !timingSafeEqual(Buffer.from(signature), Buffer.from(signatureFor(request, url, signed, day)))
  )
    return { status: 403, code: 'SignatureDoesNotMatch' }
  return sha256(body) === request.headers['x-amz-content-sha256']
    ? undefined
    : { status: 400, code: 'XAmzContentSHA256Mismatch' }
}

/** The signature this request should have (AWS Signature Version 4, in a header), from what came over the wire. */
function signatureFor(
  request: IncomingMessage,
  url: URL,
  signed: readonly string[],
  day: string,
): string {
  const query = [...url.searchParams]
    .map(([name, value]) => [escaped(name), escaped(value)] as const)
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
  const path = decodeURIComponent(url.pathname).split('/').map(escaped).join('/')
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
    ['AWS4-HMAC-SHA256', String(request.headers['x-amz-date']), scope, sha256(canonical)].join(
      '\n',
    ),
  ).toString('hex')
}

function escaped(text: string) {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
