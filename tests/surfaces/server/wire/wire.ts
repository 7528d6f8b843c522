import { setTimeout as pause } from 'node:timers/promises'
import { contract, type Endpoint } from '@jiaowu/api'
import * as v from 'valibot'
import { unknownKeys } from './strict.ts'

/** One call as sent over the wire. */
export interface Exchange {
  /** `entityData.page`. */
  readonly endpoint: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly code: number | null
  /** Breaches of the contract in the reply. */
  readonly faults: readonly string[]
  /** Whether the request keeps to the contract; some are wrong on purpose. */
  readonly sentWell: boolean
}

interface Route {
  readonly name: string
  readonly endpoint: Endpoint
  readonly pattern: RegExp
  readonly holes: number
}
const routes: readonly Route[] = Object.entries(contract).flatMap(([group, endpoints]) =>
  Object.entries(endpoints).map(([name, endpoint]: [string, Endpoint]): Route => ({
    name: `${group}.${name}`,
    endpoint,
    holes: endpoint.path.split('{').length - 1,
    pattern: new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  })),
)
export const endpointNames: readonly string[] = routes.map(({ name }) => name)

/**
 * The call of the contract for a method and a path below /api; the most literal path wins, as on
 * the server.
 */
function routeOf(method: string, path: string, signed: boolean): Route | null {
  const found = routes
    .filter(
      (route) =>
        route.endpoint.method === method &&
        route.pattern.test(path) &&
        !(route.endpoint.anonymous && signed),
    )
    .sort(
      (a, b) => a.holes - b.holes || Number(b.endpoint.anonymous) - Number(a.endpoint.anonymous),
    )
  return found[0] ?? null
}

/** Patterns that no reply may contain (docs/rules/contract.md#envelope). */
const leaks =
  /\bselect\b.+\bfrom\b|\binsert into\b|node_modules|\n\s+at \S+|\.ts:\d+|postgres|pglite/i

/** Faults of a reply, those of the envelope first (docs/rules/contract.md#envelope). */
function replyFaults(
  endpoint: Endpoint,
  status: number,
  headers: Headers,
  body: unknown,
): string[] {
  const isJson = (headers.get('content-type') ?? '').includes('application/json')
  if (endpoint.reply === 'file' && status === 200 && !isJson) return fileFaults(headers)
  if (!isJson || !isRecord(body))
    return [`${status} is not JSON but ${headers.get('content-type') ?? 'nothing'}`]
  const faults = envelopeFaults(body)
  return body.success === true
    ? [...faults, ...successFaults(endpoint, status, body), ...answerFaults(endpoint, body)]
    : [...faults, ...refusalFaults(status, body)]
}

/** A file needs a name, except for images. */
function fileFaults(headers: Headers): string[] {
  return headers.has('content-disposition') ||
    (headers.get('content-type') ?? '').startsWith('image/')
    ? []
    : ['a file without a name']
}

function envelopeFaults(body: Record<string, unknown>): string[] {
  const { success, code, msg, traceId } = body
  const faults: string[] = []
  if (typeof success !== 'boolean') faults.push('success: not true or false')
  if (typeof code !== 'number') faults.push('code: not a number')
  if (typeof traceId !== 'string' || traceId === '') faults.push('traceId: missing')
  if (typeof msg !== 'string') faults.push('msg: not a text')
  if (!('data' in body)) faults.push('data: missing')
  if (leaks.test(JSON.stringify(success === true ? msg : body)))
    faults.push('the reply tells something of the inside')
  return faults
}

function successFaults(
  { reply }: Endpoint,
  status: number,
  { code }: Record<string, unknown>,
): string[] {
  const faults: string[] = []
  if (code !== 200) faults.push(`code: ${String(code)} on success`)
  if (status !== 200) faults.push(`status: ${status} on success`)
  if (reply === 'file') faults.push('an envelope instead of a file')
  return faults
}

function refusalFaults(status: number, { code, msg }: Record<string, unknown>): string[] {
  const faults: string[] = []
  if (status < 400) faults.push(`status: ${status} although refused`)
  // 40900 corresponds to 409; 40000 to 40008 are ended sessions.
  const whole =
    typeof code === 'number' && code >= 1000
      ? code >= 40000 && code < 40100
        ? 401
        : Math.floor(code / 100)
      : code
  if (whole !== status) faults.push(`status: ${status} with code ${String(code)}`)
  if (msg === '') faults.push('msg: empty')
  return faults
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Faults of the data of an answer. */
function answerFaults({ answer, flat }: Endpoint, body: Record<string, unknown>): string[] {
  if (answer === null) return []
  const parsed = v.safeParse(answer, body.data)
  const missing =
    flat && isRecord(body.data)
      ? Object.keys(body.data).filter(
          (key) =>
            JSON.stringify(body[key]) !==
            JSON.stringify((body.data as Record<string, unknown>)[key]),
        )
      : []
  return [
    ...(parsed.success ? [] : first(parsed.issues)),
    ...new Set(
      unknownKeys(answer, body.data).map(
        (key) => `${key.replaceAll(/\[\d+\]/g, '[]')}: not in the contract`,
      ),
    ),
    ...missing.map((key) => `${key}: not at the top level too`),
  ]
}

function first(issues: readonly v.BaseIssue<unknown>[]): string[] {
  return issues.slice(0, 4).map((issue) => `${v.getDotPath(issue) ?? 'data'}: ${issue.message}`)
}

const maxRetries = 8

export interface Wire {
  readonly fetch: typeof globalThis.fetch
  readonly exchanges: readonly Exchange[]
  /** Breaches of the contract since the last call, a line each. */
  takeFaults(): string[]
}

/**
 * A `fetch` that records every call below /api and checks its reply against the contract. `through`
 * forwards to the server.
 */
export function createWire(through: typeof globalThis.fetch = globalThis.fetch): Wire {
  const exchanges: Exchange[] = []
  let fresh: string[] = []
  const note = (url: URL, init: RequestInit, response: Response, text: string | null) => {
    const path = url.pathname.replace(/^.*?\/api(?=\/)/, ''),
      method = init.method ?? 'GET'
    const route = routeOf(method, path, new Headers(init.headers).has('authorization'))
    if (route === null) return
    let body: unknown = null
    try {
      body = text === null ? null : JSON.parse(text)
    } catch {
      body = null
    }
    const faults = replyFaults(route.endpoint, response.status, response.headers, body)
    const code = isRecord(body) && typeof body.code === 'number' ? body.code : null
    exchanges.push({
      endpoint: route.name,
      method,
      path,
      status: response.status,
      code,
      faults,
      sentWell: isSentWell(route.endpoint, url, init),
    })
    fresh.push(...faults.map((fault) => `${method} ${path} (${route.name}): ${fault}`))
  }
  const call = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    for (let tries = 0; ; tries += 1) {
      const response = await through(input, init)
      const wait = shortWait(response)
      if (wait !== null && tries < maxRetries) {
        await response.arrayBuffer()
        await pause(Math.max(100, wait * 1000))
        continue
      }
      const url = new URL(input instanceof Request ? input.url : input)
      const isJson =
        (response.headers.get('content-type') ?? '').includes('application/json') ||
        (response.headers.get('content-type') ?? '').startsWith('text/html')
      const text = isJson ? await response.text() : null
      note(url, init, response, text)
      return text === null
        ? response
        : new Response(text, {
            status: response.status,
            statusText: response.statusText,
            headers: response.headers,
          })
    }
  }
  return {
    fetch: call as typeof globalThis.fetch,
    exchanges,
    takeFaults: () => {
      const found = [...new Set(fresh)]
      fresh = []
      return found
    },
  }
}

function isSentWell({ query, body }: Endpoint, url: URL, init: RequestInit): boolean {
  const { ts: _ts, ...asked } = Object.fromEntries(url.searchParams)
  return (
    (query === undefined || v.safeParse(query, asked).success) &&
    (body === undefined || v.safeParse(body, sentBody(init.body)).success)
  )
}

function sentBody(body: RequestInit['body']): unknown {
  if (body instanceof URLSearchParams || body instanceof FormData)
    return pairs(body as unknown as Iterable<[string, FormDataEntryValue]>)
  try {
    return typeof body === 'string' ? JSON.parse(body) : undefined
  } catch {
    return undefined
  }
}

function pairs(entries: Iterable<[string, FormDataEntryValue]>): Record<string, unknown> {
  return Object.fromEntries(entries)
}

/** Calls with a rate limit for fairness: they are repeated after the wait. */
function shortWait(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return response.status === 429 && seconds <= 3 ? seconds : null
}
