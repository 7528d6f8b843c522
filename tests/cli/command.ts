import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { RunningServer } from '../support/server.ts'

export const bin = join(import.meta.dirname, '..', '..', 'apps', 'cli', 'bin', 'jiaowu.js')

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}
export interface RunOptions {
  /** What comes in by stdin; without it stdin is closed. */
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** Arguments of node itself. */
  readonly node?: readonly string[]
  /** Sees the running command: to stop it, say. */
  readonly watch?: (child: ChildProcess, said: () => string) => void
}
export type Jiaowu = (args: readonly string[], options?: RunOptions) => Promise<Ran>

/** Runs the real command off a terminal, with a home of its own. */
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
export function lines(text: string): Record<string, unknown>[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
