import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { isIP, Server as NetServer, type Socket } from 'node:net'
import { setImmediate as readWhatHasArrived, setTimeout as sleep } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import type { Settings } from '../platform/settings/settings.ts'
import { isListedAddress } from '../platform/requests/address.ts'

/** Facts that are known of a connection. */
export interface Peer {
  readonly ip: string
  readonly secure: boolean
  /** Resolves when the answer has left, or the caller has. Absent without a connection, in tests. */
  readonly sent?: Promise<Sent>
}

/** The part of an answer that has left. */
export interface Sent {
  /** With the headers. */
  readonly bytes: number
  /** Whether the caller stayed to the end. */
  readonly isWhole: boolean
}

/** Maps a request to a response. */
interface Answering {
  readonly fetch: (request: Request, peer?: Peer) => Promise<Response>
}

/**
 * The caller's address: that of the socket, or the one a trusted proxy reports (docs/rules/security.md#c2).
 * @param onUntrusted called once, for the first who reports addresses and is not trusted
 */
export function createPeerReader(
  settings: Pick<Settings, 'trustProxy'>,
  onUntrusted?: (proxy: string) => void,
) {
  const isTrusted = (ip: string) => isListedAddress(settings.trustProxy, ip)
  let isTold = onUntrusted === undefined
  return (headers: Headers, socketAddress: string | undefined): Peer => {
    const ip = (socketAddress ?? '').replace(/^::ffff:/, '')
    if (!isTrusted(ip)) {
      if (!isTold && headers.has('x-forwarded-for')) {
        isTold = true
        onUntrusted?.(ip)
      }
      return { ip, secure: false }
    }
    const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
    const client = hops.findLast((hop) => isIP(hop) !== 0 && !isTrusted(hop)) ?? ip
    return { ip: client, secure: headers.get('x-forwarded-proto') === 'https' }
  }
}

export interface Listener {
  readonly port: number
  /** Stops accepting connections. Open ones are served on. */
  readonly closePort: () => Promise<void>
  /**
   * Closes the port, and each connection that has had no request for `idleMs`. Resolves when the last reply is sent;
   * cuts what is left after `timeoutMs`.
   */
  readonly close: (timeoutMs: number, idleMs?: number) => Promise<void>
}

const sweepMs = 250
/** Longer than the 60 s for which proxies keep a connection: whoever closes it first resets a call on its way. */
const keepAliveTimeout = 75_000
const longestGapMs = 100
const longestWaitMs = 2_000

interface NodeEnv {
  readonly incoming?: {
    readonly rawHeaders: readonly string[]
    readonly socket: { readonly remoteAddress?: string; readonly bytesWritten: number }
  }
  readonly outgoing?: ServerResponse
}

/** Names and values alternate. Node keeps only the first `Host`, where a proxy may have read the last. */
function hasOneHost(rawHeaders: readonly string[]): boolean {
  const isHost = (text: string, at: number) => at % 2 === 0 && text.toLowerCase() === 'host'
  return rawHeaders.filter(isHost).length <= 1
}

/** RFC 9112 §3.2: several `Host` lines answer 400. */
const ambiguousHost = () =>
  new Response(null, { status: 400, headers: { connection: 'close', 'cache-control': 'no-store' } })

/** Opens the port. @throws the system's error when it is in use or not allowed */
export function listen(
  app: Answering,
  settings: Settings,
  onUntrusted?: (proxy: string) => void,
): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const peer = createPeerReader(settings, onUntrusted)
    const opened = serve(
      {
        port: settings.port,
        hostname: settings.host,
        serverOptions: { keepAliveTimeout },
        fetch: (request, env) => {
          const { incoming, outgoing } = env as NodeEnv
          if (incoming !== undefined && !hasOneHost(incoming.rawHeaders)) return ambiguousHost()
          const from = peer(request.headers, incoming?.socket.remoteAddress)
          return incoming === undefined || outgoing === undefined
            ? app.fetch(request, from)
            : app.fetch(request, { ...from, sent: watchAnswer(incoming.socket, outgoing) })
        },
      },
      (address) => resolve(buildListener(server, address.port)),
    )
    const server = opened as Server
    server.once('error', reject)
  })
}

/** One answer after the other is written to a connection, so the growth of its bytes is the size of this one. */
function watchAnswer(
  socket: { readonly bytesWritten: number },
  outgoing: ServerResponse,
): Promise<Sent> {
  const before = socket.bytesWritten
  return new Promise((resolve) => {
    outgoing.once('close', () =>
      resolve({ bytes: socket.bytesWritten - before, isWhole: outgoing.writableFinished }),
    )
  })
}

function buildListener(server: Server, port: number): Listener {
  const watch = watchConnections(server)
  let closed: Promise<void> | undefined
  const closePort = async () => {
    if (closed === undefined) {
      await waitForGap(watch.lastArrival)
      // http's close() also destroys connections whose reply is written but not yet sent; net's close() only
      // stops accepting new ones.
      closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve())
      })
    }
  }
  return {
    port,
    closePort,
    close: async (timeoutMs, idleMs = sweepMs) => {
      await closePort()
      const closeIdle = setInterval(() => void watch.closeIdle(idleMs), sweepMs)
      const closeAll = setTimeout(
        () => server.closeAllConnections(),
        Math.max(timeoutMs, 2 * sweepMs),
      )
      await closed
      clearInterval(closeIdle)
      clearTimeout(closeAll)
    },
  }
}

interface Connection {
  requests: number
  /** Received bytes, and when they were last found to have grown. */
  bytes: number
  since: number
}

/** Knows of each connection whether a request is being received or answered. */
function watchConnections(server: Server) {
  const connections = new Map<Socket, Connection>()
  let lastArrival = 0
  server.on('connection', (socket: Socket) => {
    lastArrival = performance.now()
    connections.set(socket, { requests: 0, bytes: 0, since: lastArrival })
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket)
    if (connection === undefined) return
    connection.requests += 1
    response.once('close', () => {
      connection.requests -= 1
      connection.since = performance.now()
    })
  })
  const isIdle = (idleMs: number, socket: Socket, connection: Connection) => {
    if (socket.bytesRead !== connection.bytes) {
      connection.bytes = socket.bytesRead
      connection.since = performance.now()
    }
    return connection.requests === 0 && performance.now() - connection.since >= idleMs
  }
  return {
    lastArrival: () => lastArrival,
    /** Closing with a request unread would reset the connection, so whatever has arrived is read before. */
    closeIdle: async (idleMs: number) => {
      const idle = [...connections].filter((each) => isIdle(idleMs, ...each))
      await readWhatHasArrived()
      for (const each of idle) if (isIdle(idleMs, ...each)) each[0].destroySoon()
    },
  }
}

/**
 * Waits until no connection has arrived for a while, the shorter the longer that takes: one that the system has
 * accepted and the server has not is reset when the port closes. A round of the event loop accepts one connection, so
 * none is left after a round without any that took no time.
 */
async function waitForGap(lastArrival: () => number): Promise<void> {
  const started = performance.now()
  for (;;) {
    await readWhatHasArrived()
    const before = performance.now()
    await readWhatHasArrived()
    const now = performance.now()
    const wanted = longestGapMs * (1 - (now - started) / longestWaitMs)
    const isNoneLeft = lastArrival() < before && now - before < 1
    if (isNoneLeft && now - lastArrival() >= wanted) return
    if (now - started > 2 * longestWaitMs) return
    await sleep(2)
  }
}
