import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/**
 * Asks on stderr, since stdout is for data. Does not echo a secret.
 * @throws the reason of the signal on Ctrl-C
 */
export async function askOnTerminal(
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
  // In raw mode readline receives Ctrl-C as a key: send the signal that it stands for.
  reader.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await reader.question('', { signal })
  } finally {
    reader.close()
    if (secret) process.stderr.write('\n')
  }
}

/** Whether an answer to a question of yes or no agrees. */
export function isYes(answer: string): boolean {
  return /^(y|yes|是)$/i.test(answer.trim())
}

/** All of stdin, as bytes. */
export async function stdinBytes(): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
