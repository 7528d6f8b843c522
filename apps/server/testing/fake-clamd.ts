// A double of clamd on a Unix socket or a free port: reads INSTREAM as the protocol says and finds what it is told.
import { createServer, type Socket } from 'node:net'

export interface FakeClamd {
  /** As CLAMD_SOCKET takes it. */
  readonly address: string
  /** Sizes of the files it was sent whole. */
  readonly seen: number[]
  /** A byte string to the name of its signature. */
  readonly signatures: Map<string, string>
  behaviour: 'scan' | 'hang' | 'close' | 'error'
  readonly close: () => Promise<void>
}

/** @param path of the socket; a port of the loopback address without it */
export async function fakeClamd(path?: string, streamMaxLength = 26_214_400): Promise<FakeClamd> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    if (clamd.behaviour === 'close') return void socket.destroy()
    let received = Buffer.alloc(0)
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data])
      if (clamd.behaviour !== 'hang') answer(socket, received)
    })
  })
  const answer = (socket: Socket, received: Buffer) => {
    const command = Buffer.from('zINSTREAM\0')
    if (received.length < command.length) return
    if (!received.subarray(0, command.length).equals(command)) {
      socket.end('UNKNOWN COMMAND\0')
      return
    }
    const file: Buffer[] = []
    let size = 0
    for (let at = command.length; at + 4 <= received.length;) {
      const length = received.readUInt32BE(at)
      if (length === 0) {
        socket.end(`${verdict(Buffer.concat(file))}\0`)
        return
      }
      size += length
      if (size > streamMaxLength) {
        socket.end('INSTREAM size limit exceeded. ERROR\0')
        return
      }
      if (at + 4 + length > received.length) return
      file.push(received.subarray(at + 4, at + 4 + length))
      at += 4 + length
    }
  }
  const verdict = (file: Buffer): string => {
    if (clamd.behaviour === 'error') return 'stream: Can’t allocate memory ERROR'
    clamd.seen.push(file.length)
    const found = [...clamd.signatures].find(([bytes]) => file.includes(bytes))
    return found === undefined ? 'stream: OK' : `stream: ${found[1]} FOUND`
  }
  const clamd: FakeClamd = {
    get address() {
      const at = server.address()
      return typeof at === 'string' ? at : `127.0.0.1:${at?.port ?? 0}`
    },
    seen: [],
    signatures: new Map(),
    behaviour: 'scan',
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  await new Promise<void>((resolve) => {
    if (path === undefined) server.listen(0, '127.0.0.1', resolve)
    else server.listen(path, resolve)
  })
  return clamd
}
