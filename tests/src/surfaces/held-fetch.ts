import { type ApiProblem } from '@jiaowu/api'
import { callEffect } from '../model/index.ts'

export interface Asked { readonly method: string; readonly path: string; readonly body: Readonly<Record<string, unknown>> }
/** Which port a request is a call of. `partOf`: one more request of a call that is already counted. */
export type PortCall = { readonly port: string; readonly input: unknown } | { readonly partOf: string }

interface Held { readonly asked: Asked; readonly call: PortCall; readonly resolve: (response: Response) => void; stream: ReadableStreamDefaultController<Uint8Array> | null }

const envelope = (status: number, body: object): Response => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
export const answered = (data: unknown): Response => envelope(200, { success: true, code: 200, msg: 'ok', data, traceId: 't' })
const statusOf = (code: number): number => (code >= 40_000 && code < 40_010 ? 401 : code === 40_900 ? 409 : code === 42_200 ? 422 : code)
/** What the server would have sent for this problem to arise in the client. */
export const refusedWith = ({ problem }: ApiProblem): Response =>
  envelope(statusOf(problem.code), { success: false, code: problem.code, msg: problem.message, data: problem.issues.length > 0 ? { issues: problem.issues } : problem.data, traceId: 't' })

const askedOf = (url: string, init: RequestInit | undefined): Asked => ({
  method: init?.method ?? 'GET', path: new URL(url, 'http://localhost').pathname.replace(/^\/api/, ''),
  body: typeof init?.body === 'string' ? (JSON.parse(init.body) as Asked['body']) : {},
})

/** A `fetch` whose replies wait to be told. What is no port of the machine is answered at once by `background`. */
export const heldFetch = (callOf: (asked: Asked) => PortCall | null, background: (asked: Asked) => unknown) => {
  let held: Held[] = []
  let calls: string[] = []
  const drop = (one: Held) => { held = held.filter((other) => other !== one) }
  const fetch = (url: string, init?: RequestInit): Promise<Response> => {
    const asked = askedOf(url, init)
    const call = callOf(asked)
    if (call === null) return Promise.resolve(answered(background(asked)))
    if ('port' in call) calls.push(callEffect(call.port, call.input))
    return new Promise((resolve, reject) => {
      const one: Held = { asked, call, resolve, stream: null }
      held.push(one)
      init?.signal?.addEventListener('abort', () => { drop(one); one.stream?.error(init.signal?.reason); reject(init.signal?.reason as Error) }, { once: true })
    })
  }
  const oldest = (port: string): Held => {
    const one = held.find(({ call }) => 'port' in call && call.port === port)
    if (one === undefined) throw new Error(`nobody waits for ${port}; under way: ${held.map(({ asked }) => `${asked.method} ${asked.path}`).join(', ') || 'nothing'}`)
    return one
  }
  return {
    fetch: fetch as typeof globalThis.fetch,
    pending: () => held.flatMap(({ call }) => ('port' in call ? [call.port] : [])),
    started: () => { const told = calls; calls = []; return told },
    /** Ends the oldest call of a port, and with it its further requests. */
    settle: (port: string, reply: (asked: Asked) => Response) => {
      const one = oldest(port)
      for (const each of held.filter((other) => other === one || ('partOf' in other.call && other.call.partOf === port))) { drop(each); each.resolve(reply(each.asked)) }
    },
    /** Bytes of a file that is under way. The first ones begin the reply. */
    send: (port: string, bytes: number) => {
      const one = oldest(port)
      if (one.stream === null) one.resolve(new Response(new ReadableStream<Uint8Array>({ start: (controller) => { one.stream = controller } }), { headers: { 'content-type': 'application/octet-stream' } }))
      one.stream?.enqueue(new Uint8Array(bytes))
    },
    /** The file is complete, or breaks off. */
    finish: (port: string, error?: ApiProblem) => {
      const one = oldest(port)
      drop(one)
      if (one.stream === null) one.resolve(error === undefined ? new Response('x', { headers: { 'content-type': 'application/octet-stream' } }) : refusedWith(error))
      else if (error === undefined) one.stream.close()
      else one.stream.error(error)
    },
  }
}
export type HeldFetch = ReturnType<typeof heldFetch>
