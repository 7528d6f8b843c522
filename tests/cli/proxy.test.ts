import { createServer, request, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { commandAt, type Jiaowu } from './command.ts'

/** Requests that passed: those at the server, and those that came by the proxy. */
const seen: { server: string[]; proxy: string[] } = { server: [], proxy: [] }
let [server, proxy]: Server[] = []
let home: string
let jiaowu: Jiaowu
let proxyAt = ''

const formatAddress = (of: Server | undefined) =>
  `127.0.0.1:${(of?.address() as AddressInfo | undefined)?.port ?? 0}`

async function listening(of: Server): Promise<Server> {
  await new Promise<void>((resolve) => {
    of.listen(0, '127.0.0.1', resolve)
  })
  return of
}

beforeAll(async () => {
  server = await listening(
    createServer((asked, reply) => {
      seen.server.push(asked.url ?? '')
      reply.writeHead(401, { 'content-type': 'application/json' })
      reply.end('{"success":false,"code":401,"msg":"no such account","data":null}')
    }),
  )
  proxy = createServer((asked, reply) => {
    seen.proxy.push(asked.url ?? '')
    const on = request(
      asked.url ?? '',
      { method: asked.method, headers: asked.headers },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(reply)
      },
    )
    asked.pipe(on)
  })
  proxy.on('connect', (asked, socket) => {
    seen.proxy.push(asked.url ?? '')
    const [host = '', port = ''] = (asked.url ?? '').split(':')
    const on = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      on.pipe(socket).pipe(on)
    })
    on.on('error', () => socket.destroy())
    socket.on('error', () => on.destroy())
  })
  await listening(proxy)
  proxyAt = formatAddress(proxy)
  home = await mkdtemp(join(tmpdir(), 'jiaowu-proxy-'))
  jiaowu = commandAt(home, { url: `http://${formatAddress(server)}` })
})
afterAll(async () => {
  server?.close()
  proxy?.close()
  await rm(home, { recursive: true, force: true })
})
beforeEach(() => {
  seen.server.length = 0
  seen.proxy.length = 0
})
const signInWithEnv = (env: Record<string, string>) =>
  jiaowu(['login', 'admin', '--password-stdin'], { input: 'secret', env })

describe('proxy variables', { timeout: 180_000 }, () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('%s is used', async (name) => {
    for (const value of [`http://${proxyAt}`, proxyAt]) {
      expect((await signInWithEnv({ [name]: value })).err).not.toContain('网络异常')
      expect(seen.proxy.length).toBeGreaterThan(0)
      expect(seen.server.length).toBeGreaterThan(0)
      seen.proxy.length = 0
    }
  })
  it.each(['NO_PROXY', 'no_proxy'])('%s is kept', async (name) => {
    await signInWithEnv({ HTTP_PROXY: `http://${proxyAt}`, [name]: '127.0.0.1' })
    expect(seen.proxy).toEqual([])
    expect(seen.server.length).toBeGreaterThan(0)
  })
  it('are named when the server cannot be reached through them, without their password', async () => {
    const refused = await signInWithEnv({ HTTP_PROXY: 'http://me:secret@127.0.0.1:9' })
    expect(refused).toMatchObject({ code: 6, out: '' })
    expect(refused.err).toContain('HTTP_PROXY=http://127.0.0.1:9')
    expect(refused.err).toContain('NO_PROXY')
    expect(refused.err).not.toContain('secret')
  })
  it('that are no addresses are refused', async () => {
    for (const value of ['socks5://127.0.0.1:1', 'http://', '::'])
      expect(await signInWithEnv({ HTTPS_PROXY: value })).toMatchObject({ code: 2, out: '' })
  })
  it('are not mentioned when none is set', async () => {
    const refused = await jiaowu(['whoami', '--server', 'http://127.0.0.1:9'], {
      env: { JIAOWU_TOKEN: 'x' },
    })
    expect(refused.err).not.toContain('NO_PROXY')
  })
})
