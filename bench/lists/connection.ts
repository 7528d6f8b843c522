// One HTTP/1.1 connection that sends a request after the answer to the one before. Written on a socket, because
// the load must cost less than what it measures.
import { connect } from 'node:net'

export interface Answer {
  readonly status: number
  readonly body: string
}
export interface Connection {
  readonly send: (method: string, path: string, token: string, body?: unknown) => Promise<Answer>
  readonly close: () => void
}

export function openConnection(port: number): Connection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let received: Buffer = Buffer.alloc(0)
  let waiting: { resolve: (answer: Answer) => void; reject: (error: unknown) => void } | undefined
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const answer = answerIn(received)
    if (answer === null) return
    received = Buffer.alloc(0)
    waiting?.resolve(answer)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the server closed a connection')))
  return {
    send: (method, path, token, body) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        const text = body === undefined ? '' : JSON.stringify(body)
        const type =
          body === undefined
            ? ''
            : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`
        socket.write(
          `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: bearer ${token}\r\n${type}\r\n${text}`,
        )
      }),
    close: () => {
      waiting = undefined
      socket.destroy()
    },
  }
}

/** The answer, or null while a part of it is missing. */
function answerIn(bytes: Buffer): Answer | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const body = bytes.subarray(end + 4)
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined)
    return body.length < Number(length) ? null : { status, body: body.toString() }
  return body.toString('latin1', body.length - 5) === '0\r\n\r\n'
    ? { status, body: decodeChunks(body) }
    : null
}

function decodeChunks(body: Buffer): string {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.toString('latin1', at, end), 16)
    if (!(size > 0)) return Buffer.concat(parts).toString()
    parts.push(body.subarray(end + 2, end + 2 + size))
    at = end + 4 + size
  }
}
