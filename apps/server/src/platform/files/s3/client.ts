// Signed requests to an S3 service, with timeouts and retries.
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { viaProxy } from '../../outgoing-proxy.ts'
import { FilesUnavailable } from '../driver.ts'
import { relay } from '../relay.ts'
import { textsIn } from './xml.ts'
import type { S3Account } from '../../settings/settings-files.ts'

/** Timeouts in milliseconds: until a reply begins, and between two pieces of its body (docs/rules/security.md#r18). */
export interface S3Timeouts {
  readonly reply: number
  readonly pause: number
}
export const standardTimeouts: S3Timeouts = { reply: 8_000, pause: 15_000 }
/** Milliseconds added to the timeout of an upload, for slow lines. */
const perMegabyte = 1_000

const maxTries = 3
const firstRetryMs = 100

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Empty for the bucket itself. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly tries?: number
  /** Milliseconds until the reply begins, instead of the standard timeout. */
  readonly within?: number
}

/** The service refused. `code` is its error code, empty when the reply was not one of S3. */
export class S3Fault extends Error {
  override readonly name = 'S3Fault'
  readonly status: number
  readonly code: string
  /** The region of the bucket, when the service names it. */
  readonly region: string | null
  /** The time of the service's clock. */
  readonly date: Date | null
  constructor(status: number, code: string, region: string | null, date: Date | null) {
    super(`S3 answered ${status} ${code}`.trim())
    this.status = status
    this.code = code
    this.region = region
    this.date = date
  }
  /** The same request may succeed later. */
  get isTransient(): boolean {
    return (
      [408, 429, 500, 502, 503, 504].includes(this.status) ||
      ['RequestTimeout', 'SlowDown'].includes(this.code)
    )
  }
}

const hashBytes = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export function buildObjectUrl(
  { endpoint, bucket, pathStyle }: S3Account,
  key: string,
  query: Readonly<Record<string, string>> = {},
): URL {
  const url = new URL(endpoint)
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`
  url.pathname = [
    url.pathname.replace(/\/+$/, ''),
    ...(pathStyle ? [bucket] : []),
    ...(key === '' && pathStyle ? [] : [key]),
  ].join('/')
  url.search = new URLSearchParams(query).toString()
  return url
}

/** A successful reply. Its body must be read to its end or cancelled. */
export interface S3Reply {
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array>
}

/** Reads a short reply completely, which also frees the connection. */
export const readShortReply = ({ body }: S3Reply): Promise<string> => text(body)

export type Send = (request: S3Request) => Promise<S3Reply>
type Outcome = { readonly response: Response } | { readonly failure: FilesUnavailable }

/** @throws S3Fault when the service refuses, FilesUnavailable when it fails even after retries */
export function s3Client(
  account: S3Account,
  { reply, pause }: S3Timeouts = standardTimeouts,
): Send {
  return async (request) => {
    const stop = new AbortController()
    const timer = setTimeout(
      () => stop.abort(new FilesUnavailable('S3 did not answer in time')),
      (request.within ?? reply) + ((request.body?.byteLength ?? 0) / 1_000_000) * perMegabyte,
    )
    const attempt = async (left: number): Promise<Response> => {
      const outcome = await requestS3(account, request, stop.signal).then(
        (response): Outcome => ({ response }),
        unreachable,
      )
      if ('response' in outcome && outcome.response.ok) return outcome.response
      const failure = 'response' in outcome ? await parseS3Fault(outcome.response) : outcome.failure
      if (failure instanceof S3Fault && !failure.isTransient) throw failure
      if (left <= 1 || stop.signal.aborted)
        throw failure instanceof S3Fault
          ? new FilesUnavailable(failure.message, { cause: failure })
          : failure
      await sleep(Math.random() * firstRetryMs * 2 ** (maxTries - left), undefined, {
        signal: stop.signal,
      }).catch(() => {
        throw stop.signal.reason
      })
      return await attempt(left - 1)
    }
    try {
      const { headers, body } = await attempt(request.tries ?? maxTries)
      return { headers, body: body === null ? emptyStream() : withPauseTimeout(body, pause) }
    } finally {
      clearTimeout(timer)
    }
  }
}

async function requestS3(
  account: S3Account,
  { method, key, query, headers = {}, body = new Uint8Array() }: S3Request,
  signal: AbortSignal,
): Promise<Response> {
  const { region, accessKeyId, secretAccessKey } = account
  // The digest of the body is signed, so the service refuses a truncated or changed body.
  const signer = new AwsV4Signer({
    method,
    url: buildObjectUrl(account, key, query).href,
    headers: { ...headers, 'x-amz-content-sha256': hashBytes(body) },
    service: 's3',
    region,
    accessKeyId,
    secretAccessKey,
  })
  const signed = await signer.sign()
  signed.headers.set('accept-encoding', 'identity') // not signed, because proxies change it
  return await fetch(signed.url, {
    method,
    headers: signed.headers,
    body: method === 'PUT' ? new Uint8Array(body) : null,
    redirect: 'manual',
    signal,
  })
}

function unreachable(error: unknown): Outcome {
  return {
    failure:
      error instanceof FilesUnavailable
        ? error
        : new FilesUnavailable(`S3 cannot be reached${viaProxy()}`, { cause: error }),
  }
}

async function parseS3Fault(response: Response): Promise<S3Fault> {
  const { Code = '', Region } = textsIn(await response.text().catch(() => ''), ['Code', 'Region'])
  const date = Date.parse(response.headers.get('date') ?? '')
  return new S3Fault(
    response.status,
    Code,
    Region ?? response.headers.get('x-amz-bucket-region'),
    Number.isNaN(date) ? null : new Date(date),
  )
}

function emptyStream() {
  return new ReadableStream<Uint8Array>({
    start: (out) => {
      out.close()
    },
  })
}

/** Fails when no piece of the body arrives for `pause` milliseconds, and frees the connection. */
function withPauseTimeout(
  body: ReadableStream<Uint8Array>,
  pause: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const read = async () => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new FilesUnavailable('S3 stopped sending')), pause)
    })
    try {
      return await Promise.race([reader.read(), late])
    } catch (error) {
      void reader.cancel(error).catch(() => {})
      throw error instanceof FilesUnavailable
        ? error
        : new FilesUnavailable('S3 broke off', { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }
  return relay({ read, cancel: (reason) => reader.cancel(reason) })
}
