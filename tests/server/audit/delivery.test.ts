// The audit log at receivers outside: at least once, in order, whatever stops on the way
// (docs/rules/security.md#l2).
import { createSocket } from 'node:dgram'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import forge from 'node-forge'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  deliverOnce,
  startDelivery,
} from '../../../apps/server/src/platform/audit/delivery/deliver.ts'
import {
  fileReceiver,
  type Receiver,
  syslogReceiver,
} from '../../../apps/server/src/platform/audit/delivery/receivers.ts'
import { syslogMessage } from '../../../apps/server/src/platform/audit/delivery/syslog-message.ts'
import type { AuditRow } from '../../../apps/server/src/platform/audit/line.ts'
import { auditIn } from '../../../apps/server/src/platform/audit/write.ts'
import { transact } from '../../../apps/server/src/platform/database/transact.ts'

let app: TestApp
let folder: string
let identity: { readonly key: string; readonly cert: string }
const open: { close: () => Promise<void> }[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-delivery-'))
  identity = selfSigned()
  await writeFile(join(folder, 'ca.pem'), identity.cert)
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  app = await testApp()
})
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
  await app.close()
})

function selfSigned() {
  const keys = forge.pki.rsa.generateKeyPair(2048)
  const cert = forge.pki.createCertificate()
  cert.publicKey = keys.publicKey
  cert.serialNumber = '01'
  cert.validity.notBefore = new Date(Date.now() - 86_400_000)
  cert.validity.notAfter = new Date(Date.now() + 86_400_000)
  const name = [{ name: 'commonName', value: 'logs' }]
  cert.setSubject(name)
  cert.setIssuer(name)
  cert.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
  ])
  cert.sign(keys.privateKey, forge.md.sha256.create())
  return { key: forge.pki.privateKeyToPem(keys.privateKey), cert: forge.pki.certificateToPem(cert) }
}

async function writeLines(count: number, tenant = '10000') {
  for (let n = 1; n <= count; n += 1)
    await transact(app.services.database.kysely, async (trx) => {
      auditIn(
        app.services,
        trx,
        { tenant, userId: null, account: '张三', ip: '127.0.0.1', traceId: 't' },
        { action: `a${n}`, result: 'ok', detail: { note: 'ends ]"\\ here' } },
      )
    })
}

interface SyslogServer {
  readonly port: number
  readonly messages: string[]
  /** Treatment of a connection: reads it, resets it after some bytes, or never ends it. */
  behaviour: 'read' | 'reset' | 'silent'
  readonly close: () => Promise<void>
}

/** Reads octet-counted messages, as RFC 6587 says; takes those of a connection only when it ended in order. */
async function syslogServer({
  tls = false,
  port = 0,
}: { readonly tls?: boolean; readonly port?: number } = {}): Promise<SyslogServer> {
  const sockets = new Set<Socket>()
  const onSocket = (socket: Socket) => {
    let received = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data])
      if (made.behaviour === 'reset') socket.resetAndDestroy()
    })
    socket.on('end', () => {
      if (made.behaviour === 'read') {
        made.messages.push(...parseFrames(received))
        socket.end()
      }
    })
  }
  const options = { allowHalfOpen: true }
  const server: Server = tls
    ? createTlsServer({ ...identity, ...options }, onSocket)
    : createServer(options, onSocket)
  // Connections whose handshake fails count too.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const at = server.address()
  const made: SyslogServer = {
    port: typeof at === 'object' ? (at?.port ?? 0) : 0,
    messages: [],
    behaviour: 'read',
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  open.push(made)
  return made
}

function parseFrames(bytes: Buffer): string[] {
  const messages: string[] = []
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(' ', at)
    const end = blank + 1 + Number(bytes.subarray(at, blank).toString())
    messages.push(bytes.subarray(blank + 1, end).toString())
    at = end
  }
  return messages
}
const lineIn = (message: string) =>
  JSON.parse(message.slice(message.indexOf('\uFEFF') + 1)) as AuditRow
const numbersIn = (messages: readonly string[]) =>
  messages.map((each) => Number(lineIn(each).number))
const upTo = (count: number) => Array.from({ length: count }, (_none, at) => at + 1)
const startReceiver = (protocol: 'tcp' | 'tls', port: number, more = {}) =>
  syslogReceiver({ protocol, host: '127.0.0.1', port }, more)
const times = { connectMs: 1_000, batchMs: 200 }

async function readAuditLines(tenant = '10000') {
  return await app.services.database.kysely
    .selectFrom('sys.audit_log')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .orderBy('number')
    .execute()
}
async function readDeliveryCursor({ name }: Receiver, tenant = '10000') {
  const row = await app.services.database.kysely
    .selectFrom('sys.audit_delivery')
    .select('number')
    .where('tenant_id', '=', tenant)
    .where('receiver', '=', name)
    .executeTakeFirst()
  return row?.number
}
const deliver = (receiver: Receiver, holder = 'one') => deliverOnce(app.services, receiver, holder)

it('writes messages as RFC 5424 says', async () => {
  await writeLines(1)
  const [line] = (await readAuditLines()) as unknown as AuditRow[]
  if (line === undefined) throw new Error('no line')
  const denied = {
    ...line,
    result: 'denied',
    action: 'attempt.with a name far too long for a message id',
  }
  const { at: when } = line
  expect(syslogMessage(line, 'srv 1')).toBe(
    `<110>1 ${new Date(when).toISOString()} srv1 jiaowu - a1 [audit@32473 school="10000" number="1" account="张三" ` +
      `action="a1" result="ok" ip="127.0.0.1" traceId="t"] \uFEFF${JSON.stringify(line)}`,
  )
  expect(syslogMessage(denied, '')).toMatch(
    /^<108>1 \S+ - jiaowu - attempt\.withanamefartoolongforam \[/,
  )
  expect(syslogMessage({ ...line, account: 'a"]\\\nb' })).toContain(String.raw`account="a\"\]\\ b"`)
})

it.each(['tcp', 'tls'] as const)('sends every chain whole and in order by %s', async (protocol) => {
  const server = await syslogServer({ tls: protocol === 'tls' })
  const receiver = startReceiver(protocol, server.port, { ca: join(folder, 'ca.pem') })
  await writeLines(450)
  await writeLines(3, '10001')
  while ((await deliver(receiver)) > 0);
  const of = (tenant: string) => server.messages.filter((each) => lineIn(each).tenant_id === tenant)
  expect(numbersIn(of('10000'))).toEqual(upTo(450))
  expect(numbersIn(of('10001'))).toEqual([1, 2, 3])
  // The delivered lines are the stored ones, so that a hash can be checked there.
  expect(of('10000').map((each) => lineIn(each).hash)).toEqual(
    (await readAuditLines()).map(({ hash }) => hash),
  )
  await writeLines(1)
  expect(await deliver(receiver)).toBe(1)
  expect(await deliver(receiver)).toBe(0)
  expect(await readDeliveryCursor(receiver)).toBe('451')
})

it('does not trust a receiver whose certificate it does not know', async () => {
  const server = await syslogServer({ tls: true })
  await writeLines(1)
  await expect(deliver(startReceiver('tls', server.port))).rejects.toThrow(/self-signed/)
  expect(server.messages).toEqual([])
})

it.each(['reset', 'silent'] as const)(
  'sends a batch again after a receiver did %s, and loses nothing',
  async (behaviour) => {
    const server = await syslogServer()
    const receiver = startReceiver('tcp', server.port, { times })
    await writeLines(2)
    expect(await deliver(receiver)).toBe(2)
    await writeLines(3)
    server.behaviour = behaviour
    await expect(deliver(receiver)).rejects.toThrow()
    expect(await readDeliveryCursor(receiver)).toBe('2')
    server.behaviour = 'read'
    expect(await deliver(receiver)).toBe(3)
    expect(numbersIn(server.messages)).toEqual(upTo(5))
  },
)

it('goes on writing while the receiver is down, shows what waits, and resumes where it was', async () => {
  const first = await syslogServer()
  const { port } = first
  const settings = {
    ...app.services.settings,
    auditSyslog: { protocol: 'tcp', host: '127.0.0.1', port } as const,
  }
  const waiting = async () => {
    const text = await (await app.fetch(new Request('http://127.0.0.1/metrics'))).text()
    return /jiaowu_audit_waiting_lines\{[^}]*\} (\d+)/.exec(text)?.[1]
  }
  Object.assign(app.services.settings, { auditSyslog: settings.auditSyslog })
  await writeLines(2)
  const stop = startDelivery(app.services)
  await waitUntilTrue(() => first.messages.length === 2)
  await first.close()
  const admin = await app.signIn('admin')
  await admin.entityData.page({ params: { tag: 'SYS_USER' }, body: {} })
  const before = (await readAuditLines()).length
  expect(before).toBeGreaterThan(2)
  expect(await waiting()).toBe(String(before - 2))
  const second = await syslogServer({ port })
  await waitUntilTrue(() => second.messages.length >= before - 2)
  await stop()
  expect(numbersIn([...first.messages, ...second.messages])).toEqual(upTo(before))
  expect(await waiting()).toBe('0')
})

async function waitUntilTrue(isTrue: () => boolean) {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20))
}

it('is sent by one server at a time, and by the other when that one is gone', async () => {
  const server = await syslogServer()
  const receiver = startReceiver('tcp', server.port)
  await writeLines(2)
  expect(await deliver(receiver, 'one')).toBe(2)
  await writeLines(1)
  expect(await deliver(receiver, 'two')).toBe(0)
  app.advance(61_000)
  expect(await deliver(receiver, 'two')).toBe(1)
  expect(numbersIn(server.messages)).toEqual([1, 2, 3])
})

it('appends lines of JSON to a file that only its owner reads, and to a new one after a rotation', async () => {
  const path = join(folder, 'audit.jsonl')
  const receiver = fileReceiver(path)
  await writeLines(3)
  expect(await deliver(receiver)).toBe(3)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const lines = async () =>
    (await readFile(path, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as unknown)
  expect(await lines()).toEqual(await readAuditLines())
  await rm(path)
  await writeLines(1)
  await deliver(receiver)
  expect(await lines()).toEqual((await readAuditLines()).slice(3))
})

it('sends datagrams', async () => {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const messages: string[] = []
  socket.on('message', (bytes) => messages.push(bytes.toString()))
  await writeLines(2)
  const { port } = socket.address()
  await deliver(syslogReceiver({ protocol: 'udp', host: '127.0.0.1', port }))
  await waitUntilTrue(() => messages.length === 2)
  expect(numbersIn(messages)).toEqual([1, 2])
  await new Promise<void>((resolve) => socket.close(resolve))
})
