import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks on stderr, so that stdout stays data. A secret is not echoed. */
export const ask = async (question: string, { secret = false } = {}): Promise<string> => {
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: secret ? silent : process.stderr, terminal: true, prompt: '' })
  try {
    return await reader.question('')
  } finally {
    reader.close()
    if (secret) process.stderr.write('\n')
  }
}

/** All of stdin, without the line end that shells append. */
export const readStdin = async (): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8').replace(/\r?\n$/, '')
}
