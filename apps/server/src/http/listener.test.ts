import { connect } from 'node:net'
import { expect, it, vi } from 'vitest'
import type { App } from '../start/app.ts'
import type { Settings } from '../platform/settings/settings.ts'
import { createPeerReader, listen, type Sent } from './listener.ts'

function buildForwardedHeaders(hops: string, proto = 'https') {
  return new Headers({ 'x-forwarded-for': hops, 'x-forwarded-proto': proto })
}

it('ignores forwarding headers of untrusted peers', () => {
  expect(
    createPeerReader({ trustProxy: [] })(buildForwardedHeaders('1.2.3.4'), '10.0.0.9'),
  ).toEqual({
    ip: '10.0.0.9',
    secure: false,
  })
  expect(
    createPeerReader({ trustProxy: ['10.0.0.1'] })(
      buildForwardedHeaders('1.2.3.4'),
      '::ffff:10.0.0.9',
    ),
  ).toEqual({
    ip: '10.0.0.9',
    secure: false,
  })
})
it('tells once of a proxy that is not trusted', () => {
  const told: string[] = []
  const peer = createPeerReader({ trustProxy: ['10.0.0.1'] }, (ip) => told.push(ip))
  peer(new Headers(), '10.0.0.9')
  peer(buildForwardedHeaders('1.2.3.4'), '10.0.0.1')
  expect(told).toEqual([])
  peer(buildForwardedHeaders('1.2.3.4'), '10.0.0.9')
  peer(buildForwardedHeaders('1.2.3.4'), '10.0.0.8')
  expect(told).toEqual(['10.0.0.9'])
})
it('takes the last hop that is no trusted proxy, which a caller cannot forge', () => {
  const peer = createPeerReader({ trustProxy: ['10.0.0.0/8', 'fd00::/8'] })
  expect(peer(buildForwardedHeaders('6.6.6.6, 1.2.3.4, 10.0.0.2'), '10.0.0.1')).toEqual({
    ip: '1.2.3.4',
    secure: true,
  })
  expect(peer(buildForwardedHeaders('nonsense'), 'fd00::1')).toEqual({
    ip: 'fd00::1',
    secure: true,
  })
  expect(peer(buildForwardedHeaders('1.2.3.4', 'http'), '10.0.0.1').secure).toBe(false)
  expect(peer(new Headers(), undefined)).toEqual({ ip: '', secure: false })
})

const settings = { host: '127.0.0.1', port: 0, trustProxy: [] } as unknown as Settings
const createTestApp = (answer: App['fetch']): App => ({
  fetch: answer,
  idle: () => Promise.resolve(),
  refuse: () => Promise.resolve(),
})

it('tells how many bytes of an answer have left, and whether the caller stayed', async () => {
  const told: (Promise<Sent> | undefined)[] = []
  const body = 'x'.repeat(5_000)
  const app = createTestApp((request, peer) => {
    told.push(peer?.sent)
    return Promise.resolve(
      request.url.endsWith('/slow') ? new Response(new ReadableStream()) : new Response(body),
    )
  })
  const { port, close } = await listen(app, settings)
  try {
    for (const path of ['/a', '/b']) await (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'),
    )
    await vi.waitFor(() => expect(told).toHaveLength(3))
    socket.destroy()
    const [first, second, left] = await Promise.all(told)
    expect(first?.isWhole).toBe(true)
    expect(first?.bytes).toBeGreaterThan(body.length)
    expect(first?.bytes).toBeLessThan(body.length + 500)
    expect(second).toEqual(first)
    expect(left?.isWhole).toBe(false)
  } finally {
    await close(0)
  }
})

it('refuses a request with several Host headers', async () => {
  const { port, close } = await listen(
    createTestApp(() => Promise.resolve(new Response('ok'))),
    settings,
  )
  const statusOf = (...lines: string[]) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(['GET / HTTP/1.1', ...lines, 'Connection: close', '', ''].join('\r\n')),
      )
      socket.once('data', (reply) => resolve(reply.toString().slice(9, 12)))
      socket.once('error', reject)
    })
  try {
    expect(await statusOf('Host: a')).toBe('200')
    expect(await statusOf('Host: a', 'Host: b')).toBe('400')
    expect(await statusOf('Host: a', 'hOsT: a')).toBe('400')
    expect(await statusOf('X-Name: host', 'Host: a')).toBe('200')
  } finally {
    await close(0)
  }
})
