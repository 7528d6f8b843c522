import { BlockList, isIP, Server } from 'node:net'
import { serve, type ServerType } from '@hono/node-server'
import type { App, Peer } from '../app.ts'
import type { Settings } from '../platform/settings/settings.ts'

/** The caller's address: that of the socket, or the one a trusted proxy reports (docs/rules/security.md#c2). */
export function peerOf(settings: Pick<Settings, 'trustProxy'>) {
  const isTrusted = trusted(settings.trustProxy)
  return (headers: Headers, socketAddress: string | undefined): Peer => {
    const ip = (socketAddress ?? '').replace(/^::ffff:/, '')
    if (!isTrusted(ip)) return { ip, secure: false }
    const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
    const client = hops.findLast((hop) => isIP(hop) !== 0 && !isTrusted(hop)) ?? ip
    return { ip: client, secure: headers.get('x-forwarded-proto') === 'https' }
  }
}

function trusted(peers: readonly string[]): (ip: string) => boolean {
  if (peers.length === 0) return () => false
  const list = new BlockList()
  for (const peer of peers) {
    const [address = '', bits] = peer.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (ip) => isIP(ip) !== 0 && list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

export interface Listener {
  readonly port: number
  /** Resolves when the last reply is sent; closes remaining connections after `timeoutMs`. */
  readonly close: (timeoutMs: number) => Promise<void>
}

const flushMs = 250

interface NodeEnv {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string } }
}

/** Opens the port. @throws the system's error when it is in use or not allowed */
export function listen(app: App, settings: Settings): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const peer = peerOf(settings)
    const server = serve(
      {
        port: settings.port,
        hostname: settings.host,
        fetch: (request, env) =>
          app.fetch(
            request,
            peer(request.headers, (env as NodeEnv).incoming?.socket.remoteAddress),
          ),
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
