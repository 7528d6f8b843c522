// `npm run test:cluster [-- tests|walk]`: the server tests with every table spread, and a walk through
// the product over two workers. Without Citus it says so, tests nothing and exits with 0.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { citusBinaries } from '../../apps/server/testing/postgres/citus-cluster.ts'

const root = join(import.meta.dirname, '..', '..')
const parts: Readonly<Record<string, () => boolean>> = {
  walk: () => vitest(['--config', 'tests/cluster/vitest.config.ts'], {}),
  tests: () => vitest(['apps/server', 'tests/server'], { TEST_ENGINE: 'citus' }),
}

const [chosen, ...rest] = process.argv.slice(2)
if (rest.length > 0 || (chosen !== undefined && !Object.hasOwn(parts, chosen))) {
  console.error(`usage: npm run test:cluster -- [${Object.keys(parts).join('|')}]`)
  process.exit(2)
}
const bin = citusBinaries()
if (bin === undefined) {
  console.log(
    'SKIPPED, nothing was tested: no PostgreSQL on this machine has the extension Citus ' +
      '(docs/operations/cluster.md#testing).',
  )
  process.exit(0)
}
console.log(`Citus of ${bin}`)
const failed = Object.entries(parts).filter(
  ([name, run]) => (chosen === undefined || chosen === name) && !run(),
)
for (const [name] of failed) console.log(`✗ ${name}`)
process.exit(failed.length === 0 ? 0 : 1)

function vitest(args: readonly string[], env: Readonly<Record<string, string>>): boolean {
  const { status } = spawnSync('vitest', ['run', '--maxWorkers=2', ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  })
  return status === 0
}
