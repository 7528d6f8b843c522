import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks on stderr, so that stdout stays data. A secret is not echoed. Rejects with the signal's reason on Ctrl-C. */
export async function ask(
  question: string,
  signal: AbortSignal,
  { secret = false } = {},
): Promise<string> {
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({
    input: process.stdin,
    output: secret ? silent : process.stderr,
    terminal: true,
    prompt: '',
  })
  // Readline takes Ctrl-C for itself in raw mode: it is handed on as the signal it would have been.
  reader.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await reader.question('', { signal })
  } finally {
    reader.close()
    if (secret) process.stderr.write('\n')
  }
}

/** All of stdin, as bytes. */
export async function stdinBytes(): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
/** All of stdin, without the line end that shells append. */
export async function readStdin(): Promise<string> {
  return (await stdinBytes()).toString('utf8').replace(/\r?\n$/, '')
}
