import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Line, ms, quantile, timings, times } from './measure.ts'
import { root, type Running } from './place.ts'

const reps = 15

export async function benchCli({ url, token }: Running): Promise<Line[]> {
  const bin = join(root, 'apps/cli/bin/jiaowu.js')
  const node = await measureStart(['-e', '0'])
  const env = { ...process.env, JIAOWU_TOKEN: token }
  const commands: [string, readonly string[]][] = [
    ['jiaowu --version', [bin, '--version']],
    [
      'jiaowu entity list EDU_FACULTY',
      [bin, 'entity', 'list', 'EDU_FACULTY', '--server', url, '--json'],
    ],
  ]
  const lines: Line[] = []
  for (const [name, args] of commands) {
    const took = await measureStart(args, env)
    lines.push({
      what: name,
      ours: ms(took),
      bare: `${ms(node)} node -e 0`,
      ratio: times(took, node),
      note: `${ms(took - node)} more than node`,
    })
  }
  return lines
}

async function measureStart(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const found = await timings(reps, async () => {
    const { status, stderr } = spawnSync(process.execPath, args, {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  })
  return quantile(found, 0.5)
}
