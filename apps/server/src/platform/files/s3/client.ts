// Requests to an S3 service: signed, with an end to waiting, and repeated where that may help.
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { setTimeout as nap } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { FilesUnavailable } from '../driver.ts'
import { relay } from '../relay.ts'
import { textsIn } from './xml.ts'

export interface S3Account {
  /** Without the bucket and without a slash at the end. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The bucket in the path and not in the name of the host. */
  readonly pathStyle: boolean
  /** What every key begins with: empty, or ending in a slash. */
  readonly prefix: string
}

/** How long an answer may be waited for, and how long a body may pause (docs/rules/security.md#r18). Milliseconds. */
export interface Patience {
  readonly answer: number
  readonly pause: number
}
export const patience: Patience = { answer: 8_000, pause: 15_000 }
const perMegabyte = 1_000 // a slow line gets its time for an upload

const mostTries = 3
const firstNap = 100

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Empty: the bucket itself. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly tries?: number
  /** Milliseconds until its answer begins, where it must be sooner. */
  readonly within?: number
}

/** The service said no. `code` is its own word, empty where the answer was not one of S3. */
export class S3Fault extends Error {
  override readonly name = 'S3Fault'
  readonly status: number
  readonly code: string
  /** The region the bucket is in, where the service tells. */
  readonly region: string | null
  /** What the service's clock said. */
  readonly date: Date | null
  constructor(status: number, code: string, region: string | null, date: Date | null) {
    super(`S3 answered ${status} ${code}`.trim())
    this.status = status
    this.code = code
    this.region = region
    this.date = date
  }
  /** The same request may do better later. */
  get isPassing(): boolean {
    return (
      [408, 429, 500, 502, 503, 504].includes(this.status) ||
      ['RequestTimeout', 'SlowDown'].includes(this.code)
    )
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export function urlOf(
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

/** A yes. The body is to be read to its end or cancelled. */
export interface S3Answer {
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array>
}

/** The whole of a short answer; asked for also where nothing is expected, so that the connection is free for the next call. */
export const textOf = ({ body }: S3Answer): Promise<string> => text(body)

export type Send = (request: S3Request) => Promise<S3Answer>
type Outcome = { readonly response: Response } | { readonly trouble: FilesUnavailable }

/** @throws S3Fault when the service says no, FilesUnavailable when it cannot be asked or has no time even when asked again */
export function s3Client(account: S3Account, { answer, pause }: Patience = patience): Send {
  return async (request) => {
    const stop = new AbortController()
    const timer = setTimeout(
      () => stop.abort(new FilesUnavailable('S3 did not answer in time')),
      (request.within ?? answer) + ((request.body?.byteLength ?? 0) / 1_000_000) * perMegabyte,
    )
    const attempt = async (left: number): Promise<Response> => {
      const outcome = await ask(account, request, stop.signal).then(
        (response): Outcome => ({ response }),
        unreached,
      )
      if ('response' in outcome && outcome.response.ok) return outcome.response
      const trouble = 'response' in outcome ? await faultOf(outcome.response) : outcome.trouble
      if (trouble instanceof S3Fault && !trouble.isPassing) throw trouble
      if (left <= 1 || stop.signal.aborted)
        throw trouble instanceof S3Fault
          ? new FilesUnavailable(trouble.message, { cause: trouble })
          : trouble
      await nap(Math.random() * firstNap * 2 ** (mostTries - left), undefined, {
        signal: stop.signal,
      }).catch(() => {
        throw stop.signal.reason
      })
      return await attempt(left - 1)
    }
    try {
      const { headers, body } = await attempt(request.tries ?? mostTries)
      return { headers, body: body === null ? nothing() : patient(body, pause) }
    } finally {
      clearTimeout(timer)
    }
  }
}

async function ask(
  account: S3Account,
  { method, key, query, headers = {}, body = new Uint8Array() }: S3Request,
  signal: AbortSignal,
): Promise<Response> {
  const { region, accessKeyId, secretAccessKey } = account
  // The digest of the body is signed with the rest: what arrives cut short or changed is not stored.
  const signer = new AwsV4Signer({
    method,
    url: urlOf(account, key, query).href,
    headers: { ...headers, 'x-amz-content-sha256': sha256(body) },
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

function unreached(error: unknown): Outcome {
  return {
    trouble:
      error instanceof FilesUnavailable
        ? error
        : new FilesUnavailable('S3 cannot be reached', { cause: error }),
  }
}

async function faultOf(response: Response): Promise<S3Fault> {
  const { Code = '', Region } = textsIn(await response.text().catch(() => ''), ['Code', 'Region'])
  const date = Date.parse(response.headers.get('date') ?? '')
  return new S3Fault(
    response.status,
    Code,
    Region ?? response.headers.get('x-amz-bucket-region'),
    Number.isNaN(date) ? null : new Date(date),
  )
}

function nothing() {
  return new ReadableStream<Uint8Array>({
    start: (out) => {
      out.close()
    },
  })
}

/** A body that stops coming is given up; cancelled, it frees its connection. */
function patient(body: ReadableStream<Uint8Array>, pause: number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const read = async () => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new FilesUnavailable('S3 stopped sending')), pause)
    })
    try {
      return await Promise.race([reader.read(), late])
    } catch (error) {
      void reader.cancel(error).catch(() => {}) // it broke already, or it must not go on
      throw error instanceof FilesUnavailable
        ? error
        : new FilesUnavailable('S3 broke off', { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }
  return relay({ read, cancel: (reason) => reader.cancel(reason) })
}
