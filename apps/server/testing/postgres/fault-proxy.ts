// A TCP proxy on loopback whose connections can fail in the ways of real networks.
import { createServer, connect, type Socket } from 'node:net'
import { once } from 'node:events'

/**
 * `strand`: every connection is kept and nothing passes, new ones included. `blackhole`: nothing
 * passes on the open connections, new ones work, as after a firewall has forgotten them.
 * `halfOpen`: requests pass on the open connections, answers do not. `reset`: the open connections
 * are reset. `refuse`: so are new ones.
 */
export type NetworkFault = 'strand' | 'blackhole' | 'halfOpen' | 'reset' | 'refuse'

export interface FaultProxy {
  readonly port: number
  /** New connections go there. */
  target: number
  /** Milliseconds by which each piece of data is late, in both directions. */
  delayMs: number
  fail(fault: NetworkFault): void
  /** New connections work; those that fail stay as they are. */
  heal(): void
  close(): Promise<void>
}

interface Flow {
  readonly client: Socket
  readonly server: Socket
  isDeaf: boolean
  isMute: boolean
}

export async function faultProxy(target: number): Promise<FaultProxy> {
  const flows = new Set<Flow>()
  let fault: NetworkFault | undefined
  const listener = createServer({ pauseOnConnect: true }, (client) => {
    if (fault === 'refuse') {
      client.resetAndDestroy()
      return
    }
    const server = connect(proxy.target, '127.0.0.1')
    const flow = { client, server, isDeaf: fault === 'strand', isMute: fault === 'strand' }
    flows.add(flow)
    pass(client, server, () => !flow.isDeaf)
    pass(server, client, () => !flow.isMute)
    for (const end of [client, server])
      end.once('close', () => {
        // An end that fails silently must not be noticed by the other.
        if (flow.isDeaf || flow.isMute) return
        flows.delete(flow)
        client.destroy()
        server.destroy()
      })
    client.resume()
  })
  const pass = (from: Socket, to: Socket, isOpen: () => boolean) => {
    from.setNoDelay(true)
    from.on('error', () => {})
    from.on('data', (data: Buffer) => {
      const forward = () => {
        if (isOpen() && to.writable) to.write(data)
      }
      if (proxy.delayMs > 0) setTimeout(forward, proxy.delayMs)
      else forward()
    })
  }
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const proxy: FaultProxy = {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    target,
    delayMs: 0,
    fail: (next) => {
      fault = next
      for (const flow of flows) {
        if (next === 'reset' || next === 'refuse') {
          flow.client.resetAndDestroy()
          flow.server.destroy()
        }
        flow.isMute ||= next !== 'reset' && next !== 'refuse'
        flow.isDeaf ||= next === 'strand' || next === 'blackhole'
      }
    },
    heal: () => {
      fault = undefined
    },
    close: async () => {
      for (const { client, server } of flows) {
        client.destroy()
        server.destroy()
      }
      listener.close()
      await once(listener, 'close')
    },
  }
  return proxy
}
