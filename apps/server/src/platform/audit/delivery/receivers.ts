// Receivers of the audit log: syslog by RFC 5424 over TLS (RFC 5425), TCP (RFC 6587, octet counting) or UDP
// (RFC 5426), and a file of JSON lines.
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { AuditRow } from '../line.ts'
import { syslogMessage } from './syslog-message.ts'
import type { SyslogAddress } from '../../settings/settings-audit.ts'

export interface Receiver {
  /** As the setting says it; names the cursor. */
  readonly name: string
  /** Resolves when the lines have arrived, as far as the way of sending can tell; rejects otherwise. */
  readonly send: (lines: readonly AuditRow[]) => Promise<void>
}

export interface Times {
  readonly connectMs: number
  /** For a whole batch, with the end of the connection. */
  readonly batchMs: number
}
const usual: Times = { connectMs: 3_000, batchMs: 20_000 }

/** @param ca of the certificates that are accepted, as PEM; those of the system without it */
export function syslogReceiver(
  address: SyslogAddress,
  { ca, times = usual }: { readonly ca?: string | undefined; readonly times?: Times } = {},
): Receiver {
  const { protocol, host, port } = address
  const name = `${protocol}://${host}:${port}`
  if (protocol === 'udp') return { name, send: (lines) => sendUdp(address, lines) }
  const connect = () =>
    protocol === 'tls'
      ? connectTls({
          host,
          port,
          minVersion: 'TLSv1.2',
          ...(ca !== undefined && { ca: readFileSync(ca) }),
        })
      : connectTcp({ host, port })
  const ready = protocol === 'tls' ? 'secureConnect' : 'connect'
  return { name, send: (lines) => sendStream(connect(), ready, frameLines(lines), times) }
}

/** One line of JSON each, synced before the cursor moves. The file is opened anew, so that it can be rotated. */
export function fileReceiver(path: string): Receiver {
  return {
    name: `file:${path}`,
    send: async (lines) => {
      const file = await open(path, 'a', 0o600)
      try {
        await file.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}

function frameLines(lines: readonly AuditRow[]): Buffer {
  return Buffer.concat(
    lines.flatMap((line) => {
      const message = Buffer.from(syslogMessage(line))
      return [Buffer.from(`${message.byteLength} `), message]
    }),
  )
}

/**
 * Syslog has no acknowledgement. A connection a batch gives one: the receiver has read everything when it ends
 * the connection in order after this side has; one that was killed resets it or says nothing.
 */
function sendStream(
  socket: Socket,
  ready: 'connect' | 'secureConnect',
  bytes: Buffer,
  { connectMs, batchMs }: Times,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isSent = false
    let isEnded = false
    const late = setTimeout(
      () => fail(new Error('the receiver does not take the connection')),
      connectMs,
    )
    const total = setTimeout(
      () =>
        fail(
          new Error(isSent ? 'the receiver does not end the connection' : 'the receiver is slow'),
        ),
      batchMs,
    )
    const done = () => {
      clearTimeout(late)
      clearTimeout(total)
      socket.destroy()
    }
    const fail = (error: Error) => {
      done()
      reject(error)
    }
    socket.once(ready, () => {
      clearTimeout(late)
      socket.end(bytes, () => {
        isSent = true
      })
    })
    socket.once('end', () => {
      isEnded = true
    })
    socket.once('error', fail)
    socket.once('close', () => {
      if (isSent && isEnded) {
        done()
        resolve()
      } else fail(new Error('the receiver closed the connection before the end'))
    })
    socket.resume()
  })
}

/** Each message a datagram, without any sign that it arrived. */
async function sendUdp({ host, port }: SyslogAddress, lines: readonly AuditRow[]): Promise<void> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  try {
    for (const line of lines)
      await new Promise<void>((resolve, reject) => {
        socket.send(syslogMessage(line), port, host, (error) => {
          if (error === null) resolve()
          else reject(error)
        })
      })
  } finally {
    socket.close()
  }
}
