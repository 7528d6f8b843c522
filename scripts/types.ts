// Type-checks every room with its own compiler options, one after the other, for the compiler uses all cores itself. Exits 1 when any room fails.
import { spawnSync } from 'node:child_process'

const rooms = [
  'packages/api',
  'packages/validation',
  'packages/machines',
  'packages/path-tests',
  'packages/mock',
  'apps/server',
  'apps/cli',
  'apps/web',
  'tests',
  'scripts',
  'bench',
]

const wanted = process.argv.slice(2)
const results = (wanted.length > 0 ? wanted : rooms).map(
  (room) =>
    spawnSync(
      'tsc',
      ['-p', room, '--pretty', 'false', '--incremental', '--tsBuildInfoFile', cacheFile(room)],
      { stdio: 'inherit', shell: process.platform === 'win32' },
    ).status === 0,
)

/** What the compiler remembers between runs: it checks only what a change can affect. */
function cacheFile(room: string): string {
  return `node_modules/.cache/types/${room.replace('/', '-')}.tsbuildinfo`
}
process.exit(results.every(Boolean) ? 0 : 1)
