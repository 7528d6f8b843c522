import { render, useInput } from 'ink'
import type { ReadStream } from 'node:tty'
import type { ReactElement } from 'react'
import type { CommandLine } from '../command-line.ts'
import { openKeyboard } from './keyboard.ts'
import { askOnScreen } from '../session/fresh-proof.ts'
import { ProofOver } from './proof-over.tsx'
import { HoldKeys } from './type-ahead.ts'

/**
 * Shows a screen on stderr, since stdout is for data, until the screen calls `leave`.
 * @param keys where keys come from, when standard input holds data
 * @returns the argument of `leave`
 * @throws the reason of the signal on Ctrl-C
 */
export async function runScreen<T>(
  { signal, locale }: CommandLine,
  screen: (leave: (result: T) => void) => ReactElement,
  keys: ReadStream = process.stdin,
): Promise<T> {
  let app: ReturnType<typeof render> | null = null
  const keyboard = openKeyboard(keys)
  const question = askOnScreen()
  try {
    return await new Promise<T>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      app = render(
        <HoldKeys.Provider value={keyboard.hold}>
          <Interruptible>
            <ProofOver proof={question.proof} api={question.api} locale={locale} signal={signal}>
              {screen(resolve)}
            </ProofOver>
          </Interruptible>
        </HoldKeys.Provider>,
        {
          stdout: process.stderr,
          stdin: keyboard.stdin,
          interactive: true,
          exitOnCtrlC: false,
          patchConsole: false,
        },
      )
      // A screen that throws ends the command with its error; otherwise the command would wait
      // forever.
      app.waitUntilExit().catch(reject)
    })
  } finally {
    const drawn = app as ReturnType<typeof render> | null
    drawn?.unmount()
    await drawn?.waitUntilExit().catch(() => {}) // the error was rejected above
    keyboard.close()
    question.close()
  }
}

/** In raw mode Ctrl-C arrives as a key: send the signal that it stands for. */
function Interruptible({ children }: { readonly children: ReactElement }) {
  useInput((input, key) => {
    if (key.ctrl && input === 'c') process.kill(process.pid, 'SIGINT')
  })
  return children
}
