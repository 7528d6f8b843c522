import { isIP, Server } from 'node:net'
import { serve, type ServerType } from '@hono/node-server'
import type { Settings } from '../platform/settings/settings.ts'
import { isListedAddress } from '../platform/requests/address.ts'

/** Facts that are known of a connection. */
export interface Peer {
  readonly ip: string
  readonly secure: boolean
}

/** Maps a request to a response. */
interface Answering {
  readonly fetch: (request: Request, peer?: Peer) => Promise<Response>
}

/** The caller's address: that of the socket, or the one a trusted proxy reports (docs/rules/security.md#c2). */
export function createPeerReader(settings: Pick<Settings, 'trustProxy'>) {
  const isTrusted = (ip: string) => isListedAddress(settings.trustProxy, ip)
  return (headers: Headers, socketAddress: string | undefined): Peer => {
    const ip = (socketAddress ?? '').replace(/^::ffff:/, '')
    if (!isTrusted(ip)) return { ip, secure: false }
    const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
    const client = hops.findLast((hop) => isIP(hop) !== 0 && !isTrusted(hop)) ?? ip
    return { ip: client, secure: headers.get('x-forwarded-proto') === 'https' }
  }
}

export interface Listener {
  readonly port: number
  /** Resolves when the last reply is sent; closes remaining connections after `timeoutMs`. */
  readonly close: (timeoutMs: number) => Promise<void>
}

const flushMs = 250

interface NodeEnv {
  readonly incoming?: {
    readonly rawHeaders: readonly string[]
    readonly socket: { readonly remoteAddress?: string }
  }
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
export function listen(app: Answering, settings: Settings): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const peer = createPeerReader(settings)
    const server = serve(
      {
        port: settings.port,
        hostname: settings.host,
        fetch: (request, env) => {
          const { incoming } = env as NodeEnv
          if (incoming !== undefined && !hasOneHost(incoming.rawHeaders)) return ambiguousHost()
          return app.fetch(request, peer(request.headers, incoming?.socket.remoteAddress))
        },
      },
      (address) => resolve({ port: address.port, close: (timeoutMs) => close(server, timeoutMs) }),
    )
    server.once('error', reject)
  })
}

async function close(server: ServerType, timeoutMs: number): Promise<void> {
  const closed = stopListening(server)
  const closeIdle = setInterval(() => {
    if ('closeIdleConnections' in server) server.closeIdleConnections()
  }, flushMs)
  const closeAll = setTimeout(
    () => {
      if ('closeAllConnections' in server) server.closeAllConnections()
    },
    Math.max(timeoutMs, 2 * flushMs),
  )
  await closed
  clearInterval(closeIdle)
  clearTimeout(closeAll)
}

// http's close() also destroys connections whose reply is written but not yet sent; net's close() only
// stops accepting new ones.
function stopListening(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    Server.prototype.close.call(server, () => resolve())
  })
}
