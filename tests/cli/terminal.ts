import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import type { RunningServer } from '../support/server.ts'
import { bin } from './command.ts'

export interface SeenOnTerminal {
  readonly code: number | null
  readonly text: string
  /** Text of the step that never appeared. */
  readonly missing: string | null
}
const quoteShellWord = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

/**
 * Runs the real command in a pseudo-terminal (`script` of util-linux). Each step waits until its
 * text appears after the previous step, then types its keys. Keys may be a function, for example to
 * read a code that was sent by SMS; it may read what is shown meanwhile: a frame may arrive in parts.
 */
export function onTerminal(
  home: string,
  server: Pick<RunningServer, 'url'>,
  args: readonly string[],
  steps: readonly (readonly [
    text: string,
    keys: string | ((seen: () => string) => Promise<string>),
  ])[],
): Promise<SeenOnTerminal> {
  return new Promise((resolve) => {
    const child = spawn(
      'script',
      ['-qefc', [process.execPath, bin, ...args].map(quoteShellWord).join(' '), '/dev/null'],
      {
        cwd: home,
        stdio: ['pipe', 'pipe', 'pipe'],
        env: {
          ...process.env,
          XDG_CONFIG_HOME: home,
          JIAOWU_SERVER: server.url,
          JIAOWU_LANG: 'zh-CN',
          TERM: 'xterm',
        },
      },
    )
    // If a text never appears, kill the command; the result names the missing text.
    const timeout = setTimeout(() => child.kill('SIGKILL'), 45_000)
    let [text, from, at] = ['', 0, 0]
    const look = () => {
      for (
        let step = steps[at];
        step !== undefined && text.slice(from).includes(step[0]);
        step = steps[at]
      ) {
        from = text.length
        at += 1
        const [, keys] = step
        if (typeof keys === 'string') child.stdin.write(keys)
        else
          void keys(() => text).then(
            (found) => child.stdin.write(found),
            () => child.kill('SIGKILL'),
          )
      }
    }
    child.stdout.on('data', (chunk: Buffer) => {
      text += stripVTControlCharacters(chunk.toString())
      look()
    })
    child.on('close', (code) => {
      clearTimeout(timeout)
      resolve({ code, text, missing: steps[at]?.[0] ?? null })
    })
  })
}
