import { createFetch } from 'ofetch'
import { contract } from '../contract/contract.ts'
import type { Client, Endpoint, FileReply } from '../endpoint.ts'
import { parseJson } from '../exact-json.ts'
import type { Locale } from '../locale.ts'
import { consoleClient } from '../limits.ts'
import {
  ApiProblem,
  keyRunningCode,
  isNetworkFailure,
  networkProblem,
  problemOfReply,
  proofHeader,
  proofNeededCode,
  timeoutProblem,
} from '../problem.ts'
import { type SolveWork, withCaptchaWork } from './captcha-work.ts'
import { createUnanswered, notKeyed, buildRequestKey } from './unanswered.ts'

/** The signed-in user's credentials as requests carry them (docs/spec/1-entity-console.md §7). */
export interface Credentials {
  readonly token: string
  readonly account: string
  readonly accountId: string
}

export interface ClientOptions {
  /** Ends in `/api`. */
  readonly baseURL: string
  readonly fetch?: typeof globalThis.fetch
  readonly locale: () => Locale
  /** How the program names itself, where no browser does. */
  readonly userAgent?: string
  /**
   * Called before every call that needs a session; may refresh the session first. Undefined: signed
   * out.
   */
  readonly authorise: () => Promise<Credentials | undefined>
  /**
   * Called when a call needs a fresh proof of who the user is (docs/rules/security.md#s6). Answers the token to
   * repeat the call with; null: the call is rejected.
   */
  readonly reauthenticate?: (problem: ApiProblem) => Promise<string | null>
  /**
   * Does the work that comes with a captcha (docs/rules/security.md#h1), without which the server refuses
   * the answer.
   */
  readonly solveWork?: SolveWork
  /** Called for every reply that reports an invalid session; the call is rejected all the same. */
  readonly onSessionProblem?: (problem: ApiProblem) => void
  /** Clock for the parameter `ts`, in milliseconds. */
  readonly now?: () => number
  /** Replaces `fetch` for calls with `onSent`, because `fetch` reports no upload progress. */
  readonly upload?: (
    url: string,
    init: RequestInit,
    onSent: (bytes: number) => void,
  ) => Promise<Response>
}

interface Input {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  readonly onSent?: (bytes: number) => void
}

/**
 * Builds the typed client: headers, timeouts and the envelope are handled here for every call.
 * The returned functions throw every failure as {@link ApiProblem}, except an abort by the caller's
 * own signal, which is rethrown unchanged.
 */
export function createClient(options: ClientOptions): Client<typeof contract> {
  const fetcher = (fetch: typeof globalThis.fetch) =>
    createFetch({ fetch, Headers: globalThis.Headers, AbortController: globalThis.AbortController })
  const usual = fetcher(options.fetch ?? globalThis.fetch)
  const { upload } = options
  const unanswered = createUnanswered(options.now ?? Date.now)

  const call = async (
    endpoint: Endpoint,
    { params, query, body, signal, headers: more, onSent }: Input,
  ): Promise<unknown> => {
    const $fetch =
      onSent === undefined || upload === undefined
        ? usual
        : fetcher((url, init) => upload(String(url), init ?? {}, onSent))
    const credentials = endpoint.access === 'public' ? undefined : await options.authorise()
    const deadline = AbortSignal.timeout(endpoint.timeout)
    const path = fillPath(endpoint.path, params)
    // A body with an id needs no key.
    const isKeyed = endpoint.keyed === true && body?.['id'] === undefined
    const sent = isKeyed ? unanswered.open(buildRequestKey(path, query, body)) : notKeyed
    const headers = {
      ...sent.headers,
      ...buildHeaders(endpoint, more, options, credentials),
    }
    let response: Response
    try {
      response = await $fetch.raw(options.baseURL + path, {
        method: endpoint.method,
        headers,
        body: encodeBody(endpoint, body),
        query:
          endpoint.method === 'GET' ? { ...query, ts: (options.now ?? Date.now)() } : { ...query },
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
        responseType: 'stream',
        ignoreResponseError: true,
        retry: 0,
      })
    } catch (error) {
      sent.keep()
      if (signal?.aborted === true) throw error
      throw deadline.aborted ? timeoutProblem() : toCallFailure(error)
    }
    try {
      return await readAnswer(endpoint, response)
    } catch (error) {
      if (!isAnswer(error)) sent.keep()
      if (
        error instanceof ApiProblem &&
        error.problem.kind === 'session' &&
        endpoint.access !== 'public'
      )
        options.onSessionProblem?.(error)
      throw error
    }
  }

  const worked = withCaptchaWork(options.solveWork, call)
  /** Repeats a call that was refused for want of a fresh proof, until the user declines. */
  const proven = async (endpoint: Endpoint, input: Input): Promise<unknown> => {
    try {
      return await worked(endpoint, input)
    } catch (error) {
      const token = isProofNeeded(endpoint, error) ? await options.reauthenticate?.(error) : null
      if (token === null || token === undefined) throw error
      input.signal?.throwIfAborted()
      return await proven(endpoint, {
        ...input,
        headers: { ...input.headers, [proofHeader]: token },
      })
    }
  }

  const groups = Object.entries(contract).map(([group, endpoints]) => [
    group,
    Object.fromEntries(
      Object.entries(endpoints).map(([name, endpoint]) => [
        name,
        (input: Input = {}) => proven(endpoint as Endpoint, input),
      ]),
    ),
  ])
  return Object.fromEntries(groups) as Client<typeof contract>
}

function isProofNeeded({ fresh }: Endpoint, error: unknown): error is ApiProblem {
  return fresh !== false && error instanceof ApiProblem && error.problem.code === proofNeededCode
}

/** A body that cannot be written is a fault of the program. */
const toCallFailure = (error: unknown): unknown =>
  isNetworkFailure(error) ? networkProblem() : error

/** A refusal by the server; not a fault of it or of a proxy, nor that the first request still runs. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false
  const { kind, code } = error.problem
  return kind !== 'transport' && code !== keyRunningCode && !(code >= 500 && code < 600)
}

function buildHeaders(
  endpoint: Endpoint,
  more: Input['headers'] | undefined,
  { locale, userAgent }: ClientOptions,
  credentials: Credentials | undefined,
): Record<string, string> {
  return {
    ...more,
    'accept-language': locale(),
    ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
    ...(credentials === undefined
      ? {}
      : {
          authorization: `bearer ${credentials.token}`,
          account: encodeURIComponent(credentials.account),
          'account-id': credentials.accountId,
        }),
    // docs/rules/contract.md#sessions
    ...(endpoint.path === '/authority/anno/login'
      ? { authorization: `Basic ${btoa(consoleClient)}` }
      : {}),
  }
}

function fillPath(path: string, params: Readonly<Record<string, string>> = {}) {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = params[name] ?? ''
    // Lists of row ids are encoded one by one, because an id may hold a comma.
    return name === 'ids' && /^[\w.~%,-]*$/.test(value)
      ? value
      : encodeURIComponent(value).replaceAll('%2C', ',')
  })
}

function encodeBody(
  { bodyKind }: Endpoint,
  body: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | URLSearchParams | FormData | undefined {
  if (body === undefined || bodyKind === 'json' || bodyKind === 'values') return body
  const pairs = Object.entries(body).filter(([, value]) => value !== undefined)
  if (bodyKind === 'form')
    return new URLSearchParams(
      pairs.map(([name, value]): [string, string] => [name, String(value)]),
    )
  const form = new FormData()
  for (const [name, value] of pairs) {
    if (value instanceof File) form.append(name, value, value.name)
    else form.append(name, value instanceof Blob ? value : String(value))
  }
  return form
}

async function readAnswer(endpoint: Endpoint, response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  // An HTML page without a file name comes from a proxy. Reject it, so that it is not saved under
  // the name of the document.
  const isPage = type.includes('text/html') && !response.headers.has('content-disposition')
  if (endpoint.reply === 'file' && response.ok && !type.includes('application/json') && !isPage)
    return readFileReply(response)
  const body = await readJsonOrNull(response)
  // A JSON reply to a file call is a refusal, whatever its status
  // (docs/spec/1-entity-console.md §8).
  if (!response.ok || !isJsonRecord(body) || body.success !== true || endpoint.reply === 'file') {
    throw isJsonRecord(body) || !response.ok
      ? problemOfReply(response.status, body)
      : new ApiProblem({
          kind: 'transport',
          code: response.status,
          message: { key: 'problem.notJson' },
          issues: [],
          data: null,
          traceId: null,
        })
  }
  return body.data
}

function readFileReply(response: Response): FileReply {
  return {
    name: fileName(response.headers.get('content-disposition')),
    type: response.headers.get('content-type') ?? 'application/octet-stream',
    rows: response.headers.has('x-rows') ? Number(response.headers.get('x-rows')) : null,
    stream: response.body ?? new ReadableStream({ start: (c) => c.close() }),
  }
}

/** The file name of `Content-Disposition` (RFC 6266); empty when there is none. */
function fileName(header: string | null): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '')?.[1]
  if (extended !== undefined) return decodeURIComponent(extended)
  return /filename="([^"]*)"/i.exec(header ?? '')?.[1] ?? ''
}

async function readJsonOrNull(response: Response): Promise<unknown> {
  try {
    return parseJson(await response.text())
  } catch {
    return null // HTML or an empty body instead of JSON: the caller decides by the status.
  }
}

function isJsonRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
