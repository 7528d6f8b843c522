import { setTimeout as pause } from 'node:timers/promises'
import { contract } from '@jiaowu/api/contract/contract'
import type { Endpoint } from '@jiaowu/api/endpoint'
import * as v from 'valibot'
import { isJsonObject, unknownKeys } from './strict.ts'

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
function findRoute(method: string, path: string, signed: boolean): Route | null {
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
  if (!isJson || !isJsonObject(body))
    return [`${status} is not JSON but ${headers.get('content-type') ?? 'nothing'}`]
  const faults = envelopeFaults(body)
  return body.success === true
    ? [...faults, ...successFaults(endpoint, status, body), ...answerFaults(endpoint, body)]
    : [...faults, ...refusalFaults(status, body)]
}

/** A file needs a name, except for images. */
function fileFaults(headers: Headers): string[] {
  const isImage = (headers.get('content-type') ?? '').startsWith('image/')
  return unmet([[isImage || headers.has('content-disposition'), 'a file without a name']])
}

function envelopeFaults(body: Record<string, unknown>): string[] {
  const { success, code, msg, traceId } = body
  const isQuiet = !leaks.test(JSON.stringify(success === true ? msg : body))
  return unmet([
    [typeof success === 'boolean', 'success: not true or false'],
    [typeof code === 'number', 'code: not a number'],
    [typeof traceId === 'string' && traceId !== '', 'traceId: missing'],
    [typeof msg === 'string', 'msg: not a text'],
    ['data' in body, 'data: missing'],
    [isQuiet, 'the reply tells something of the inside'],
  ])
}

function successFaults(
  { reply }: Endpoint,
  status: number,
  { code }: Record<string, unknown>,
): string[] {
  return unmet([
    [code === 200, `code: ${String(code)} on success`],
    [status === 200, `status: ${status} on success`],
    [reply !== 'file', 'an envelope instead of a file'],
  ])
}

function refusalFaults(status: number, { code, msg }: Record<string, unknown>): string[] {
  return unmet([
    [status >= 400, `status: ${status} although refused`],
    [toHttpStatus(code) === status, `status: ${status} with code ${String(code)}`],
    [msg !== '', 'msg: empty'],
  ])
}

/** 40900 corresponds to 409; 40000 to 40008 are ended sessions, 40020 to 40023 the errors of RFC 8628. */
function toHttpStatus(code: unknown): unknown {
  if (typeof code !== 'number' || code < 1000) return code
  if (code >= 40020 && code <= 40023) return 400
  return code >= 40000 && code < 40100 ? 401 : Math.floor(code / 100)
}

/** The lines whose condition does not hold. */
function unmet(musts: readonly (readonly [boolean, string])[]): string[] {
  return musts.flatMap(([holds, line]) => (holds ? [] : [line]))
}

/** Faults of the data of an answer. */
function answerFaults({ answer, flat }: Endpoint, body: Record<string, unknown>): string[] {
  if (answer === null) return []
  const parsed = v.safeParse(answer, body.data)
  const unknown = unknownKeys(answer, body.data).map((key) => key.replaceAll(/\[\d+\]/g, '[]'))
  const repeated = flat && isJsonObject(body.data) ? Object.entries(body.data) : []
  return [
    ...(parsed.success ? [] : first(parsed.issues)),
    ...[...new Set(unknown)].map((key) => `${key}: not in the contract`),
    ...unmet(
      repeated.map(([key, value]) => [
        JSON.stringify(body[key]) === JSON.stringify(value),
        `${key}: not at the top level too`,
      ]),
    ),
  ]
}

function first(issues: readonly v.BaseIssue<unknown>[]): string[] {
  return issues.slice(0, 4).map((issue) => `${v.getDotPath(issue) ?? 'data'}: ${issue.message}`)
}

const maxRetries = 8

export type Wire = ReturnType<typeof createWire>

/**
 * A `fetch` that records every call below /api and checks its reply against the contract. `through`
 * forwards to the server.
 */
export function createWire(through: typeof globalThis.fetch = globalThis.fetch) {
  const exchanges: Exchange[] = []
  let fresh: string[] = []
  const note = (url: URL, init: RequestInit, response: Response, text: string | null) => {
    const path = url.pathname.replace(/^.*?\/api(?=\/)/, ''),
      method = init.method ?? 'GET'
    const route = findRoute(method, path, new Headers(init.headers).has('authorization'))
    if (route === null) return
    const body = jsonIn(text)
    const faults = replyFaults(route.endpoint, response.status, response.headers, body)
    const code = isJsonObject(body) && typeof body.code === 'number' ? body.code : null
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
      const type = response.headers.get('content-type') ?? ''
      const isText = type.includes('application/json') || type.startsWith('text/html')
      const text = isText ? await response.text() : null
      note(url, init, response, text)
      const { status, statusText, headers } = response
      return text === null ? response : new Response(text, { status, statusText, headers })
    }
  }
  return {
    fetch: call as typeof globalThis.fetch,
    exchanges: exchanges as readonly Exchange[],
    /** Breaches of the contract since the last call, a line each. */
    takeFaults: (): string[] => {
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
  return body instanceof URLSearchParams || body instanceof FormData
    ? Object.fromEntries(body as unknown as Iterable<[string, FormDataEntryValue]>)
    : (jsonIn(body) ?? undefined)
}

/** The value in a text; null where it is no JSON. */
function jsonIn(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : null
  } catch {
    return null
  }
}

/** Calls with a rate limit for fairness: they are repeated after the wait. */
function shortWait(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return response.status === 429 && seconds <= 3 ? seconds : null
}
