// Type-checks projects and the ones that they refer to. Each project is checked once, against the
// declarations of others: one that nothing touched is skipped, and a change that leaves the
// declarations of its project as they are does not reach other projects. Exits with 1 on an error.
import { spawnSync } from 'node:child_process'

// They refer to all others.
const outermost = ['tests', 'scripts', 'bench']

const requested = process.argv.slice(2)
const { status } = spawnSync(
  'tsc',
  ['-b', ...(requested.length > 0 ? requested : outermost), '--pretty', 'false'],
  { stdio: 'inherit', shell: process.platform === 'win32' },
)
process.exit(status === 0 ? 0 : 1)
