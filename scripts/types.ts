// Type-checks each project with its own compiler options, one after the other, since the compiler
// itself uses all cores. Exits with 1 if a project fails.
import { spawnSync } from 'node:child_process'

const projects = [
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

const requested = process.argv.slice(2)
const results = (requested.length > 0 ? requested : projects).map(
  (project) =>
    spawnSync(
      'tsc',
      [
        '-p',
        project,
        '--pretty',
        'false',
        '--incremental',
        '--tsBuildInfoFile',
        cacheFile(project),
      ],
      { stdio: 'inherit', shell: process.platform === 'win32' },
    ).status === 0,
)

/** Build info of a project, with which the compiler checks only what a change can affect. */
function cacheFile(project: string): string {
  return `node_modules/.cache/types/${project.replace('/', '-')}.tsbuildinfo`
}
process.exit(results.every(Boolean) ? 0 : 1)
