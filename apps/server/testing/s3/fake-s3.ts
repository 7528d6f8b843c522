// A small S3 server in this process, which verifies signatures and can simulate failures.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { account, region, type S3ErrorReply, signatureError } from './s3-signature.ts'

interface StoredObject {
  readonly bytes: Buffer
  readonly meta: Readonly<Record<string, string>>
  modified: Date
}
interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
}
/**
 * A failure of the next matching requests: an error reply, a body that is cut off or stalls in the
 * middle, no reply, or a closed connection.
 */
export interface SimulatedFailure {
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
  /** Variables of the server that uses it. */
  readonly env: Readonly<Record<string, string>>
  readonly objects: Map<string, StoredObject>
  readonly seen: SeenRequest[]
  /** Number of replies being sent. */
  readonly sending: () => number
  readonly failNext: (failure: SimulatedFailure) => void
  /** Milliseconds by which its clock is ahead. */
  skew: number
  readonly close: () => Promise<void>
}

const bucket = 'jiaowu-files'

interface State {
  readonly objects: Map<string, StoredObject>
  readonly seen: SeenRequest[]
  readonly failures: { readonly failure: SimulatedFailure; left: number }[]
  readonly pageSize: number
  sending: number
  skew: number
}

/** `pageSize` is the number of keys per page of a listing. */
export async function fakeS3({ pageSize = 1000 } = {}): Promise<FakeS3> {
  const state: State = {
    objects: new Map(),
    seen: [],
    failures: [],
    pageSize,
    sending: 0,
    skew: 0,
  }
  const server = createServer((request, response) => {
    void handle(state, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    bucket,
    objects: state.objects,
    seen: state.seen,
    env: {
      FILE_DRIVER: 's3',
      S3_ENDPOINT: url,
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: account.keyId,
      S3_SECRET_ACCESS_KEY: account.secret,
    },
    sending: () => state.sending,
    failNext: (failure) => {
      state.failures.push({ failure, left: failure.times })
    },
    get skew() {
      return state.skew
    },
    set skew(ms) {
      state.skew = ms
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function handle(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? ''}`)
  const body = await readBodyBytes(request).catch(() => null)
  if (body === null) return
  const [, name, ...rest] = decodeURIComponent(url.pathname).split('/')
  const path = rest.join('/')
  const method = request.method ?? ''
  state.seen.push({ method, path, query: url.searchParams, headers: request.headers })
  const now = Date.now() + state.skew
  const error =
    signatureError(request, url, body, now) ??
    (name === bucket ? undefined : { status: 404, code: 'NoSuchBucket' })
  const failure = error ?? nextFailure(state, method, path)
  if (failure === 'silence') return
  if (failure === 'hang up') request.socket.destroy()
  else if (typeof failure === 'object') replyS3Error(response, failure, now)
  else if (method === 'PUT') putObject(state, path, request, body, response)
  else if (method === 'DELETE') {
    state.objects.delete(path)
    response.writeHead(204).end()
  } else if (path === '') {
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(listing(state.objects, url.searchParams, state.pageSize))
  } else getObject(state, path, method, response, failure)
}

function nextFailure({ failures }: State, method: string, path: string) {
  const due = failures.find(
    ({ failure, left }) =>
      left > 0 && (failure.method ?? method) === method && (failure.path ?? /^/).test(path),
  )
  if (due !== undefined) due.left -= 1
  return due?.failure.answer
}

function putObject(
  { objects }: State,
  path: string,
  request: IncomingMessage,
  bytes: Buffer,
  response: ServerResponse,
): void {
  const meta = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      name.startsWith('x-amz-meta-') ? [[name, String(value)]] : [],
    ),
  )
  objects.set(path, { bytes, meta, modified: new Date() })
  response.writeHead(200, { etag: '"made"' }).end()
}

/** Answers GET and HEAD of an object; `failure` sends only half of its bytes. */
function getObject(
  state: State,
  path: string,
  method: string,
  response: ServerResponse,
  failure: 'cut' | 'stall' | undefined,
): void {
  const object = state.objects.get(path)
  if (object === undefined) {
    if (method === 'HEAD') response.writeHead(404).end()
    else replyS3Error(response, { status: 404, code: 'NoSuchKey' }, Date.now())
    return
  }
  const { bytes, meta } = object
  response.writeHead(200, {
    ...meta,
    'content-length': bytes.byteLength,
    'content-type': 'application/octet-stream',
  })
  if (method === 'HEAD') {
    response.end()
    return
  }
  state.sending += 1
  response.once('close', () => {
    state.sending -= 1
  })
  if (failure === undefined) response.end(bytes)
  else
    response.write(bytes.subarray(0, Math.ceil(bytes.byteLength / 2)), () => {
      if (failure === 'cut') response.destroy()
    })
}

/** A reply of ListObjectsV2 with at most `max` keys. */
function listing(
  objects: ReadonlyMap<string, StoredObject>,
  query: URLSearchParams,
  max: number,
): string {
  const after =
    query.get('continuation-token') === null
      ? ''
      : Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort()
  const page = keys.slice(0, Math.min(max, Number(query.get('max-keys') ?? 1000)))
  const rows = page.map((key) => {
    const { bytes, modified } = objects.get(key) as StoredObject
    return [
      `<Contents><Key>${xmlText(key)}</Key>`,
      `<LastModified>${modified.toISOString()}</LastModified>`,
      `<Size>${bytes.byteLength}</Size></Contents>`,
    ].join('')
  })
  const token = Buffer.from(page.at(-1) ?? '').toString('base64')
  const next =
    page.length < keys.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>`
      : '<IsTruncated>false</IsTruncated>'
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n`,
    `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">`,
    ...rows,
    `${next}</ListBucketResult>`,
  ].join('')
}

function xmlText(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function replyS3Error(
  response: ServerResponse,
  { status, code, details = '' }: S3ErrorReply,
  now: number,
): void {
  response.writeHead(status, {
    'content-type': 'application/xml',
    date: new Date(now).toUTCString(),
  })
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>no &amp; no</Message>${details}</Error>`,
  )
}

async function readBodyBytes(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
