import type { ApiProblem } from '@jiaowu/api/problem'
import { callEffect } from '@jiaowu/path-tests'
import { Data, throughContract } from './through-contract.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly token: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Headers
}
/** The call that a request is. `partOf`: a further request of a call that is already counted. */
export type PortCall =
  | { readonly port: string; readonly input: unknown }
  | { readonly partOf: string }
/** How a request ends: an answer, a response of other form, or null when the network fails. */
export type Reply = Data | Response | null

interface Held {
  readonly asked: Asked
  readonly call: PortCall
  readonly end: (reply: Reply) => void
  readonly onSent: ((bytes: number) => void) | null
  stream: ReadableStreamDefaultController<Uint8Array> | null
}

export function wrapData(data: unknown): Data {
  return new Data(data)
}

function envelope(status: number, body: object): Response {
  return new Response(JSON.stringify({ traceId: 't', ...body }), {
    status,
    headers: { 'content-type': 'application/json' },
  })
}

/** The response from which the client makes this problem; null for a problem of the network. */
export function refusedWith({ problem }: ApiProblem): Reply {
  return problem.kind === 'transport'
    ? null
    : envelope(toReplyStatus(problem.code), {
        success: false,
        code: problem.code,
        traceId: problem.traceId,
        msg: problem.message,
        data: problem.issues.length > 0 ? { issues: problem.issues } : problem.data,
      })
}

function toReplyStatus(code: number): number {
  return code > 999 ? (code < 40_010 ? 401 : Math.floor(code / 100)) : code
}

class NetworkFailure extends TypeError {
  constructor() {
    super('fetch failed')
  }
}

/**
 * A `fetch` whose replies wait until the test gives them. `background` answers requests that are no
 * call of the machine at once.
 */
export function heldFetch(
  callOf: (asked: Asked) => PortCall | null,
  background: (asked: Asked) => Reply,
) {
  const calls = new HeldCalls()
  const hold = (
    asked: Asked,
    init: RequestInit | undefined,
    onSent: ((bytes: number) => void) | null,
  ): Promise<Data | Response> => {
    const call = callOf(asked)
    return new Promise((resolve, reject) => {
      const end = (reply: Reply) => {
        if (reply === null) reject(new NetworkFailure())
        else resolve(reply)
      }
      if (call === null) {
        end(background(asked))
        return
      }
      const one: Held = { asked, call, end, onSent, stream: null }
      calls.add(one)
      init?.signal?.addEventListener(
        'abort',
        () => {
          calls.drop(one)
          one.stream?.error(init.signal?.reason)
          reject(init.signal?.reason as Error)
        },
        { once: true },
      )
    })
  }
  const { fetch, assertKept, isAnswering, answersArrive } = throughContract((url, init, onSent) =>
    hold(parseAsked(url, init), init, onSent),
  )
  return {
    fetch: ((url: string, init?: RequestInit) => fetch(url, init)) as typeof globalThis.fetch,
    isAnswering,
    answersArrive,
    /** A request that is no call of the contract: its answer is in the usual envelope. */
    plain: async (url: string, init: RequestInit) => {
      const reply = await hold(parseAsked(url, init), init, null)
      return reply instanceof Data ? envelope(200, { success: true, data: reply.data }) : reply
    },
    /** The client's upload function, which reports how many bytes are sent. */
    upload: (url: string, init: RequestInit, onSent: (bytes: number) => void) =>
      fetch(url, init, onSent),
    /** Reports that so many bytes of a call's body are sent. */
    sent: (port: string, bytes: number) => {
      calls.oldest(port).onSent?.(bytes)
    },
    /**
     * The ports whose calls are under way.
     * @throws Error after a request or an answer that the contract does not allow
     */
    pending: () => {
      assertKept()
      return calls.pending()
    },
    /** The effects of the calls made since the last reading. */
    started: () => calls.takeStarted(),
    /** Ends the oldest call of a port, with its further requests. */
    settle: (port: string, reply: (asked: Asked) => Reply) => {
      for (const each of calls.requestsOfOldest(port)) {
        calls.drop(each)
        each.end(reply(each.asked))
      }
    },
    /** Sends bytes of a file; the first ones begin the reply. */
    send: (port: string, bytes: number, headers: Readonly<Record<string, string>> = {}) => {
      sendBytes(calls.oldest(port), bytes, headers)
    },
    /** Completes the file, or breaks it off. */
    finish: (port: string, error?: ApiProblem) => {
      const one = calls.oldest(port)
      calls.drop(one)
      finishFile(one, error)
    },
  }
}

/** The requests under way, oldest first, and the effects of the calls made. */
class HeldCalls {
  private held: readonly Held[] = []
  private effects: string[] = []

  add(one: Held): void {
    if ('port' in one.call) this.effects.push(callEffect(one.call.port, one.call.input))
    this.held = [...this.held, one]
  }

  drop(one: Held): void {
    this.held = this.held.filter((other) => other !== one)
  }

  /** @throws Error when no call of the port is under way */
  oldest(port: string): Held {
    const one = this.held.find(({ call }) => 'port' in call && call.port === port)
    if (one === undefined)
      throw new Error(
        `nobody waits for ${port}; under way: ${this.held.map(({ asked }) => `${asked.method} ${asked.path}`).join(', ') || 'nothing'}`,
      )
    return one
  }

  /** The requests of the oldest call of a port: its own and the further ones. */
  requestsOfOldest(port: string): readonly Held[] {
    const one = this.oldest(port)
    return this.held.filter(
      (other) => other === one || ('partOf' in other.call && other.call.partOf === port),
    )
  }

  pending(): string[] {
    return this.held.flatMap(({ call }) => ('port' in call ? [call.port] : []))
  }

  takeStarted(): string[] {
    const started = this.effects
    this.effects = []
    return started
  }
}

/** Sends bytes of the body; the first ones begin the reply. */
function sendBytes(one: Held, bytes: number, headers: Readonly<Record<string, string>>): void {
  if (one.stream === null)
    one.end(
      new Response(
        new ReadableStream<Uint8Array>({
          start: (controller) => {
            one.stream = controller
          },
        }),
        { headers: { ...headers, 'content-type': 'application/octet-stream' } },
      ),
    )
  one.stream?.enqueue(new Uint8Array(bytes))
}

/** Completes the body, or breaks it off with an error. */
function finishFile(one: Held, error: ApiProblem | undefined): void {
  if (one.stream === null)
    one.end(
      error === undefined
        ? new Response('x', { headers: { 'content-type': 'application/octet-stream' } })
        : refusedWith(error),
    )
  else if (error === undefined) one.stream.close()
  else one.stream.error(error)
}

function parseAsked(url: string, init: RequestInit | undefined): Asked {
  return {
    query: Object.fromEntries(new URL(url, 'http://localhost').searchParams),
    headers: new Headers(init?.headers),
    method: init?.method ?? 'GET',
    path: new URL(url, 'http://localhost').pathname.replace(/^\/api/, ''),
    body: parseBody(init?.body),
    token: (new Headers(init?.headers).get('authorization') ?? '').replace(/^bearer /, ''),
  }
}

function parseBody(body: BodyInit | null | undefined): Asked['body'] {
  return typeof body === 'string'
    ? (JSON.parse(body) as Asked['body'])
    : body instanceof URLSearchParams || body instanceof FormData
      ? Object.fromEntries(body)
      : {}
}

export type HeldFetch = ReturnType<typeof heldFetch>
