// An endpoint that speaks enough of PostgreSQL's protocol for statements without parameters.
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'

export interface FakePostgres {
  readonly port: number
  readonly url: string
  /** Answers as a standby: writes are refused with SQLSTATE 25006. */
  isReadOnly: boolean
  /** Statements received, without those that set up or check a session. */
  readonly statements: string[]
  /** Number of connections made so far. */
  connections: number
  /** Number of statements that ended abandoned sessions. */
  ended: number
  close(): Promise<void>
}

/** A statement that starts with `hang` is not answered, one that starts with `write` changes data. */
export async function fakePostgres(): Promise<FakePostgres> {
  const sockets = new Set<Socket>()
  const listener = createServer((socket) => {
    sockets.add(socket)
    fake.connections += 1
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let isStarted = false
    let rest = Buffer.alloc(0)
    socket.on('data', (data: Buffer) => {
      rest = Buffer.concat([rest, data])
      for (;;) {
        const head = isStarted ? 1 : 0
        if (rest.length < head + 4 || rest.length < head + rest.readInt32BE(head)) return
        const end = head + rest.readInt32BE(head)
        const message = rest.subarray(0, end)
        rest = rest.subarray(end)
        if (!isStarted) socket.write(Buffer.concat([part('R', int32(0)), ready]))
        else if (message.toString('latin1', 0, 1) === 'Q')
          answer(socket, message.toString('utf8', 5, end - 1))
        isStarted = true
      }
    })
  })
  const answer = (socket: Socket, statement: string) => {
    if (/^(set|begin|commit|rollback)\b/.test(statement)) socket.write(done)
    else if (statement.includes('is_read_only'))
      socket.write(Buffer.concat([...encodeRow('is_read_only', fake.isReadOnly ? 't' : 'f'), done]))
    else if (statement.includes('pg_terminate_backend')) {
      fake.ended += 1
      socket.write(done)
    } else {
      fake.statements.push(statement)
      if (statement.startsWith('hang')) return
      socket.write(
        statement.startsWith('write') && fake.isReadOnly
          ? Buffer.concat([
              encodeRefusal('25006', 'cannot execute INSERT in a read-only transaction'),
              ready,
            ])
          : done,
      )
    }
  }
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const fake: FakePostgres = {
    port,
    url: `postgres://fake@127.0.0.1:${port}/fake`,
    isReadOnly: false,
    statements: [],
    connections: 0,
    ended: 0,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
  return fake
}

const boolean = 16
const ready = part('Z', Buffer.from('I'))
const done = Buffer.concat([part('C', encodeCString('SELECT 1')), ready])

function part(kind: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body])
}

function encodeRow(name: string, value: string): Buffer[] {
  const column = Buffer.concat([
    encodeCString(name),
    int32(0),
    int16(0),
    int32(boolean),
    int16(1),
    int32(-1),
    int16(0),
  ])
  const data = Buffer.from(value)
  return [
    part('T', Buffer.concat([int16(1), column])),
    part('D', Buffer.concat([int16(1), int32(data.length), data])),
  ]
}

function encodeRefusal(state: string, message: string): Buffer {
  return part(
    'E',
    Buffer.concat([
      encodeCString('SERROR'),
      encodeCString(`C${state}`),
      encodeCString(`M${message}`),
      int8(0),
    ]),
  )
}

function encodeCString(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

function int8(value: number): Buffer {
  return Buffer.from([value])
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
