import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { RunningServer } from '../support/server.ts'

export const bin = join(import.meta.dirname, '..', '..', 'apps', 'cli', 'bin', 'jiaowu.js')

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}
interface RunOptions {
  /** Content of stdin; without it stdin is closed. */
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  /** Arguments for node itself. */
  readonly node?: readonly string[]
  /**
   * Called after each output on stderr, for example to stop the command. `output` returns stderr so
   * far.
   */
  readonly watch?: (child: ChildProcess, output: () => string) => void
}
export type Jiaowu = (args: readonly string[], options?: RunOptions) => Promise<Ran>

/** Runs the real command without a terminal, with its own home folder. */
export function commandAt(home: string, server: Pick<RunningServer, 'url'> | null): Jiaowu {
  return (args, { input, env = {}, node = [], watch } = {}) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [...node, bin, ...args], {
        cwd: home,
        stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        env: {
          ...process.env,
          XDG_CONFIG_HOME: home,
          XDG_CACHE_HOME: join(home, 'cache'),
          JIAOWU_LANG: 'zh-CN',
          ...(server === null ? {} : { JIAOWU_SERVER: server.url }),
          ...env,
        },
      })
      let [out, err] = ['', '']
      child.stdout?.on('data', (chunk: Buffer) => {
        out += chunk.toString()
      })
      child.stderr?.on('data', (chunk: Buffer) => {
        err += chunk.toString()
        watch?.(child, () => err)
      })
      if (input !== undefined) child.stdin?.end(input)
      child.on('close', (code) => resolve({ code, out, err }))
    })
}

/** Parses ndjson. */
export function parseJsonLines(text: string): Record<string, unknown>[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
