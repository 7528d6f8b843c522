// Writers that behave like the clients: each write has an id and a key, and is repeated until it is answered.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** The limit of the clients (docs/rules/security.md#r18). */
const clientLimitMs = 20_000
/** With fourteen writers below the 50 calls a second of one session. */
const pauseMs = 400

interface Call {
  readonly at: number
  readonly ms: number
  /** 0: no answer within the limit of the client, or no connection. */
  readonly status: number
}

export interface Writers {
  readonly calls: readonly Call[]
  /** Names of the rows whose write was answered with 200. */
  readonly acknowledged: ReadonlySet<string>
  /** Answers of /health/ready, once a second. */
  readonly ready: readonly Call[]
  stop(): Promise<void>
}

export function startWriters(url: string, token: string, count: number): Writers {
  const calls: Call[] = []
  const ready: Call[] = []
  const acknowledged = new Set<string>()
  const stopping = new AbortController()
  const send = async (path: string, init: RequestInit): Promise<Call> => {
    const at = performance.now()
    const signal = AbortSignal.any([AbortSignal.timeout(clientLimitMs), stopping.signal])
    const status = await fetch(`${url}${path}`, { ...init, signal })
      .then(async (response) => {
        await response.arrayBuffer()
        return response.status
      })
      .catch(() => 0)
    return { at, ms: performance.now() - at, status }
  }
  const write = async (name: string) => {
    const init = {
      method: 'POST',
      headers: {
        authorization: `bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ noticeTitle: name, noticeContent: 'x', noticeStatus: '0' }),
    }
    while (!stopping.signal.aborted) {
      const call = await send('/api/entity/SYS_NOTICE/data', init)
      if (stopping.signal.aborted) return
      calls.push(call)
      if (call.status === 200) {
        acknowledged.add(name)
        return
      }
      await sleep(pauseMs)
    }
  }
  const writing = Array.from({ length: count }, async (_, writer) => {
    for (let n = 0; !stopping.signal.aborted; n += 1) {
      await write(`f-${writer}-${n}`)
      await sleep(pauseMs)
    }
  })
  const probing = (async () => {
    while (!stopping.signal.aborted) {
      const call = await send('/health/ready', {})
      if (!stopping.signal.aborted) ready.push(call)
      await sleep(1_000)
    }
  })()
  return {
    calls,
    acknowledged,
    ready,
    stop: async () => {
      stopping.abort()
      await Promise.all([...writing, probing])
    },
  }
}
