import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useOutgoingProxy, viaProxy } from './outgoing-proxy.ts'
import { SettingsError } from './settings/settings.ts'
import { postJson } from './sms/post-json.ts'

const log = pino({ level: 'silent' })
/** Requests that the proxy received: it refuses everything. */
const asked: string[] = []
const proxy = createServer((request, reply) => {
  asked.push(request.url ?? '')
  reply.writeHead(403).end()
})
proxy.on('connect', (request, socket) => {
  asked.push(request.url ?? '')
  socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
})
let port = 0

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve)
  })
  port = (proxy.address() as AddressInfo).port
})
afterAll(() => {
  useOutgoingProxy({}, log)
  proxy.close()
})

it('calls to providers go through the proxy, and their failures name it', async () => {
  expect(viaProxy()).toBe('')
  useOutgoingProxy(
    { HTTPS_PROXY: `http://me:secret@127.0.0.1:${port}`, NO_PROXY: 'inner.test' },
    log,
  )
  const call = postJson('aliyun', 'https://sms.provider.test/', { headers: {} })
  await expect(call).rejects.toThrow(`through HTTPS_PROXY 127.0.0.1:${port}`)
  expect(asked).toEqual(['sms.provider.test:443'])
  await expect(postJson('aliyun', 'https://inner.test/', { headers: {} })).rejects.toThrow('aliyun')
  expect(asked).toHaveLength(1)
  expect(viaProxy()).not.toContain('secret')
})

it('an address that is none stops the start with a sentence', () => {
  expect(() => useOutgoingProxy({ http_proxy: 'socks5://127.0.0.1:1' }, log)).toThrow(SettingsError)
})
