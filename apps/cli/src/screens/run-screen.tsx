import { render, useInput } from 'ink'
import type { ReactElement } from 'react'
import type { CommandLine } from '../command-line.ts'
import { keyboardOf } from './keyboard.ts'

/**
 * Draws a screen on stderr, so that stdout stays data, until `left` is called.
 * @returns what it was left with
 * @throws the reason of the signal on Ctrl-C
 */
export async function runScreen<T>(
  { signal }: CommandLine,
  screen: (left: (result: T) => void) => ReactElement,
): Promise<T> {
  let app: ReturnType<typeof render> | null = null
  const keyboard = keyboardOf(process.stdin)
  try {
    return await new Promise<T>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      app = render(<Interruptible>{screen(resolve)}</Interruptible>, {
        stdout: process.stderr,
        stdin: keyboard.stdin,
        interactive: true,
        exitOnCtrlC: false,
        patchConsole: false,
      })
      // A screen that breaks ends the command with its fault instead of leaving it waiting.
      app.waitUntilExit().catch(reject)
    })
  } finally {
    const drawn = app as ReturnType<typeof render> | null
    drawn?.unmount()
    await drawn?.waitUntilExit().catch(() => {}) // told already
    keyboard.close()
  }
}

/** In raw mode Ctrl-C is a key like others: it is made the signal it would have been. */
function Interruptible({ children }: { readonly children: ReactElement }) {
  useInput((input, key) => {
    if (key.ctrl && input === 'c') process.kill(process.pid, 'SIGINT')
  })
  return children
}
