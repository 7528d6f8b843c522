// Asks clamd about a file, by its command INSTREAM (docs.clamav.net, ClamD Protocol).
import { connect, type NetConnectOpts } from 'node:net'

/** Where clamd listens: the path of a Unix socket, or a host and a port. */
export type ClamdAddress = NetConnectOpts

export type Verdict =
  | { readonly kind: 'clean' }
  | { readonly kind: 'found'; readonly signature: string }
  /** It did not answer, or not about the content. */
  | { readonly kind: 'unknown'; readonly why: string }

const connectMs = 3_000
/** Under the deadline of a request (docs/rules/security.md#r18). */
const totalMs = 12_000
const chunkBytes = 64 * 1024
/** The longest answer is a sentence. */
const answerBytes = 4_096

/** Never throws: a scanner that is away is a verdict. */
export function askClamd(
  address: ClamdAddress,
  bytes: Uint8Array,
  limits: { readonly connectMs: number; readonly totalMs: number } = { connectMs, totalMs },
): Promise<Verdict> {
  return new Promise((resolve) => {
    const socket = connect(address)
    let answer = ''
    const end = (verdict: Verdict) => {
      clearTimeout(late)
      clearTimeout(total)
      socket.destroy()
      resolve(verdict)
    }
    const unknown = (why: string) => end({ kind: 'unknown', why })
    const late = setTimeout(
      () => unknown('it did not take the connection in time'),
      limits.connectMs,
    )
    const total = setTimeout(() => unknown('it did not answer in time'), limits.totalMs)
    socket.once('connect', () => {
      clearTimeout(late)
      sendChunks(socket, bytes)
    })
    socket.on('data', (data: Buffer) => {
      answer += data.toString('latin1')
      if (answer.includes('\0')) end(verdictIn(answer.slice(0, answer.indexOf('\0'))))
      else if (answer.length > answerBytes) unknown('its answer is too long')
    })
    // clamd closes the connection while it is still written to when the file is larger than its limit: what it
    // has said counts, not that the rest could not be sent.
    socket.once('error', ({ message }) => unknown(answer === '' ? message : answer))
    socket.once('close', () => unknown(answer === '' ? 'it closed the connection' : answer))
  })
}

function sendChunks(socket: ReturnType<typeof connect>, bytes: Uint8Array): void {
  socket.write('zINSTREAM\0')
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(chunk.byteLength)
    socket.write(length)
    socket.write(chunk)
  }
  socket.write(Buffer.alloc(4))
}

/** `stream: OK`, `stream: Win.Test.EICAR_HDB-1 FOUND`, `INSTREAM size limit exceeded. ERROR` */
function verdictIn(answer: string): Verdict {
  if (answer === 'stream: OK') return { kind: 'clean' }
  const [, signature] = /^stream: (.{1,200}) FOUND$/.exec(answer) ?? []
  return signature === undefined ? { kind: 'unknown', why: answer } : { kind: 'found', signature }
}
