// Takes each check of mutant-list.ts out of the server and reports the cell of the table of rights that
// notices it: `node tests/server/rights/mutants.ts`. About a minute.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..')
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config',
    join(import.meta.dirname, 'vitest.config.ts'),
    '--maxWorkers=1',
    '--disableConsoleIntercept',
  ],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = status ?? 1
