// A directory on loopback that answers binds, searches and StartTLS as a test bends it. Messages are read and written
// by the BER of ldapts.
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import { BerReader, BerWriter, FilterParser, ProtocolOperation as Operation } from 'ldapts'
import forge from 'node-forge'
import { listening } from './foreign-oidc.ts'

export interface DirectoryEntry {
  readonly dn: string
  readonly password: string
  /** Names in small letters. */
  readonly attributes: Readonly<Record<string, string | readonly string[]>>
}

interface Bent {
  /** Milliseconds before each answer. */
  delay: number
  /** Answers StartTLS with this code; 0 is a yes. */
  startTls: number
  /** Sent in plain text in one piece with the answer to StartTLS. */
  injected: Buffer | null
  /** The code of every search. */
  search: number | null
  /** The code of binds of one entry, by its name. */
  bind: { readonly dn: string; readonly code: number } | null
}

export interface SmallDirectory {
  readonly port: number
  /** May be changed between two sign-ins. */
  readonly entries: DirectoryEntry[]
  readonly bent: Bent
  /** Requests that were made, in order. */
  readonly binds: { readonly dn: string; readonly password: string; readonly isSecure: boolean }[]
  readonly filters: string[]
  readonly stop: () => Promise<void>
}

const [success, sizeLimitExceeded, invalidCredentials] = [0, 4, 49]
const honest = (): Bent => ({ delay: 0, startTls: 0, injected: null, search: null, bind: null })

/** @param tls its certificate @param secure whether it speaks TLS from the start, as ldaps */
export async function smallDirectory(
  entries: DirectoryEntry[],
  { tls, secure = false }: { readonly tls?: Identity; readonly secure?: boolean } = {},
): Promise<SmallDirectory> {
  const sockets = new Set<Socket>()
  const directory = {
    entries,
    bent: honest(),
    binds: [] as SmallDirectory['binds'],
    filters: [] as string[],
  }
  const onSocket = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serve(socket, directory, tls)
  }
  const server = secure ? createTlsServer({ ...tls }, onSocket) : createServer(onSocket)
  const port = await listening(server as never)
  return {
    ...directory,
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

type Directory = Pick<SmallDirectory, 'entries' | 'bent' | 'binds' | 'filters'>

function serve(socket: Socket, directory: Directory, tls: Identity | undefined): void {
  let rest = Buffer.alloc(0)
  const { bent } = directory
  const read = (part: Buffer) => {
    rest = Buffer.concat([rest, part])
    for (;;) {
      const reader = new BerReader(rest)
      if (reader.readSequence() === null || reader.remain < reader.length) return
      const end = reader.offset + reader.length
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      void answer(message)
    }
  }
  const answer = async (message: Buffer) => {
    const reader = new BerReader(message)
    reader.readSequence()
    const id = reader.readInt() ?? 0
    const operation = reader.readSequence()
    if (operation === Operation.LDAP_REQ_UNBIND) return
    if (bent.delay > 0) await new Promise((resolve) => setTimeout(resolve, bent.delay))
    if (operation === Operation.LDAP_REQ_BIND) socket.write(bound(id, reader, directory, socket))
    else if (operation === Operation.LDAP_REQ_SEARCH) socket.write(found(id, reader, directory))
    else if (operation === Operation.LDAP_REQ_EXTENSION) {
      socket.removeListener('data', read)
      const yes = result(id, Operation.LDAP_RES_EXTENSION, bent.startTls)
      socket.write(bent.injected === null ? yes : Buffer.concat([yes, bent.injected]))
      if (bent.startTls !== 0) socket.on('data', read)
      else if (tls !== undefined)
        serve(new TLSSocket(socket, { isServer: true, ...tls }), directory, undefined)
    }
  }
  socket.on('error', () => {})
  socket.on('data', read)
}

/** As RFC 4513 §5.1.2 lets a directory do: a name without a password is let in, as nobody. */
function bound(id: number, reader: BerReader, directory: Directory, socket: Socket): Buffer {
  reader.readInt()
  const dn = reader.readString() ?? ''
  const password = reader.readString(0x80) ?? ''
  directory.binds.push({ dn, password, isSecure: socket instanceof TLSSocket })
  const entry = directory.entries.find((one) => one.dn.toLowerCase() === dn.toLowerCase())
  const isRight = password === '' || entry?.password === password
  const { bind } = directory.bent
  const code = bind?.dn === dn ? bind.code : isRight ? success : invalidCredentials
  return result(id, Operation.LDAP_RES_BIND, code)
}

function found(id: number, reader: BerReader, directory: Directory): Buffer {
  const base = reader.readString() ?? ''
  reader.readEnumeration()
  reader.readEnumeration()
  const sizeLimit = reader.readInt() ?? 0
  reader.readInt()
  reader.readBoolean()
  const filter = FilterParser.parse(reader)
  directory.filters.push(filter.toString())
  if (directory.bent.search !== null)
    return result(id, Operation.LDAP_RES_SEARCH, directory.bent.search)
  const matching = directory.entries.filter(
    ({ dn, attributes }) =>
      dn.endsWith(base) &&
      filter.matches(
        Object.fromEntries(
          Object.entries(attributes).map(([name, value]) => [name, [value].flat()[0] ?? '']),
        ),
      ),
  )
  const isOver = sizeLimit > 0 && matching.length > sizeLimit
  return Buffer.concat([
    ...matching.slice(0, sizeLimit || undefined).map((entry) => entryMessage(id, entry)),
    result(id, Operation.LDAP_RES_SEARCH, isOver ? sizeLimitExceeded : success),
  ])
}

export function entryMessage(id: number, { dn, attributes }: Omit<DirectoryEntry, 'password'>) {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  writer.startSequence(Operation.LDAP_RES_SEARCH_ENTRY)
  writer.writeString(dn)
  writer.startSequence()
  for (const [name, value] of Object.entries(attributes)) {
    writer.startSequence()
    writer.writeString(name)
    writer.startSequence(Operation.LBER_SET)
    writer.writeStringArray([value].flat() as string[])
    writer.endSequence()
    writer.endSequence()
  }
  writer.endSequence()
  writer.endSequence()
  writer.endSequence()
  return writer.buffer
}

function result(id: number, operation: number, code: number): Buffer {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  writer.startSequence(operation)
  writer.writeEnumeration(code)
  writer.writeString('')
  writer.writeString('')
  // A referral names where to go (RFC 4511 §4.1.10).
  if (code === 10) {
    writer.startSequence(0xa3)
    writer.writeString('ldap://127.0.0.1:9/dc=elsewhere')
    writer.endSequence()
  }
  writer.endSequence()
  writer.endSequence()
  return writer.buffer
}

/** In PEM. */
export interface Identity {
  readonly key: string
  readonly cert: string
}

/** A certificate that signs itself, for a server at an IP address. */
export function identityOfServer(ip = '127.0.0.1'): Identity {
  const keys = forge.pki.rsa.generateKeyPair(2048)
  const cert = forge.pki.createCertificate()
  cert.publicKey = keys.publicKey
  cert.serialNumber = '01'
  cert.validity.notBefore = new Date(Date.now() - 86_400_000)
  cert.validity.notAfter = new Date(Date.now() + 86_400_000)
  const name = [{ name: 'commonName', value: 'directory' }]
  cert.setSubject(name)
  cert.setIssuer(name)
  cert.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 7, ip }] },
  ])
  cert.sign(keys.privateKey, forge.md.sha256.create())
  return { key: forge.pki.privateKeyToPem(keys.privateKey), cert: forge.pki.certificateToPem(cert) }
}
