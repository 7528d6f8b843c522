import { spawnSync } from 'node:child_process'

interface Screen {
  readonly isTTY?: boolean
  readonly rows?: number
}

/**
 * Writes lines; more than the terminal is high go through a pager: `JIAOWU_PAGER`, else `PAGER`, else `less`. An empty
 * name, or `cat`, means none, and what no pager shows is written.
 */
export function createPager(
  stdout: Screen,
  env: NodeJS.ProcessEnv,
  write: (line: string) => void,
): (lines: readonly string[]) => void {
  const command = env['JIAOWU_PAGER'] ?? env['PAGER'] ?? 'less'
  return (lines) => {
    const height = stdout.isTTY === true ? (stdout.rows ?? 0) : 0
    const isLong = height > 0 && lines.length >= height && process.stdin.isTTY === true
    const isUsed = isLong && command !== '' && command !== 'cat' && env['CI'] === undefined
    if (!isUsed || !runPager(command, lines, env)) for (const line of lines) write(line)
  }
}

/** False where the pager did not run. The shell takes it, because it may have options. */
function runPager(command: string, lines: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const { status, error } = spawnSync(command, {
    shell: true,
    input: `${lines.join('\n')}\n`,
    stdio: ['pipe', 'inherit', 'inherit'],
    // Quits on one screen, keeps colours, leaves the text on the terminal.
    env: { ...env, LESS: env['LESS'] ?? 'FRX', LESSCHARSET: env['LESSCHARSET'] ?? 'utf-8' },
  })
  return error === undefined && status !== 127 && status !== 126
}
