// A connection to a directory that carries passwords, which is encrypted before ldapts sees it
// (docs/rules/security.md#s9). The library's own StartTLS keeps what came before the handshake in its buffer, and
// connects anew in plain text when the connection was lost.
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { BerReader, BerWriter, Client } from 'ldapts'
import type { DirectoryProvider } from '../../../platform/settings/settings-sso.ts'

const ports: Readonly<Record<string, number>> = { 'ldap:': 389, 'ldaps:': 636 }

interface Times {
  /** Milliseconds until there is an encrypted connection, and for each call on it. */
  readonly connect: number
  readonly call: number
}

/**
 * Runs calls on a connection to one server, and closes it.
 * @throws Error where there is no connection, or none that is encrypted as the settings say
 */
export async function withServer<T>(
  provider: Pick<DirectoryProvider, 'startTls' | 'ca'>,
  address: string,
  times: Times,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const socket = await open(provider, address, times.connect)
  let isTaken = false
  const client = new Client({
    url: 'ldap://directory',
    timeout: times.call,
    createConnection: () => {
      if (isTaken) throw new Error('the connection was closed')
      isTaken = true
      return socket
    },
  })
  try {
    return await use(client)
  } finally {
    // Says goodbye, and does not wait for an answer.
    void client
      .unbind()
      .catch(() => {})
      .finally(() => socket.destroy())
  }
}

async function open(
  { startTls, ca }: Pick<DirectoryProvider, 'startTls' | 'ca'>,
  address: string,
  ms: number,
): Promise<Socket> {
  const until = performance.now() + ms
  const left = () => Math.max(1, until - performance.now())
  const { protocol, hostname, port } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  const secure: ConnectionOptions = {
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
  }
  const number = port === '' ? ports[protocol] : Number(port)
  if (protocol === 'ldaps:')
    return await ready(connectTls({ ...secure, port: number }), 'secureConnect', left())
  const plain = await ready(connect({ host, port: number ?? 0 }), 'connect', left())
  if (!startTls) return plain
  try {
    await askForTls(plain, left())
    return await ready(connectTls({ ...secure, socket: plain }), 'secureConnect', left())
  } catch (error) {
    plain.destroy()
    throw error
  }
}

/** Resolves at the event, and rejects on a fault, an early end, or after the time. */
function ready<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  ms: number,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const ended = () => fail(new Error('the server closed the connection'))
    const timer = setTimeout(() => fail(new Error(`no ${event} in time`)), ms)
    // Stays, so that a fault after the end of all calls is nobody's.
    socket.on('error', fail)
    socket.once('close', ended)
    socket.once(event, () => {
      clearTimeout(timer)
      socket.off('close', ended)
      resolve(socket)
    })
  })
}

const startTlsName = '1.3.6.1.4.1.1466.20037'
/** Tags of an extended request with its name, and of the response (RFC 4511 §4.12). */
const [requestTag, nameTag, responseTag] = [0x77, 0x80, 0x78]
const responseBytes = 4096

/** Asks for TLS on a plain connection (RFC 4511 §4.14). @throws Error unless the answer is yes and nothing more */
async function askForTls(socket: Socket, ms: number): Promise<void> {
  const request = new BerWriter()
  request.startSequence()
  request.writeInt(1)
  request.startSequence(requestTag)
  request.writeString(startTlsName, nameTag)
  request.endSequence()
  request.endSequence()
  await new Promise<void>((resolve, reject) => {
    let received = Buffer.alloc(0)
    const end = (error?: Error) => {
      clearTimeout(timer)
      socket.off('data', read)
      socket.off('close', closed)
      if (error === undefined) resolve()
      else reject(error)
    }
    const closed = () => end(new Error('the server closed the connection'))
    const read = (part: Buffer) => {
      received = Buffer.concat([received, part])
      try {
        if (isYes(received)) end()
      } catch (error) {
        end(error as Error)
      }
    }
    const timer = setTimeout(() => end(new Error('no answer to StartTLS in time')), ms)
    socket.on('data', read)
    socket.once('close', closed)
    socket.write(request.buffer)
  })
}

/** Whether the answer is complete. @throws Error for any answer but a yes, and for bytes behind it */
function isYes(received: Buffer): boolean {
  if (received.length > responseBytes) throw new Error('the answer to StartTLS is too long')
  const reader = new BerReader(received)
  if (reader.readSequence() === null || reader.remain < reader.length) return false
  if (reader.remain > reader.length) throw new Error('bytes in plain text behind StartTLS')
  const id = reader.readInt()
  const tag = reader.readSequence()
  const code = reader.readEnumeration()
  if (id !== 1 || tag !== responseTag || code !== 0)
    throw new Error(`StartTLS was refused (${String(code)})`)
  return true
}
