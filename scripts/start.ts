// `npm start`, called by start.js: builds web and terminal if their sources have changed, then
// serves web and API from one process.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const stampFile = join(root, 'apps', 'web', 'dist', '.sources')

/** Hash of all files that the web is built from. */
function fingerprint(): string {
  const hash = createHash('sha256')
  for (const folder of ['apps/web', 'packages/api', 'packages/validation', 'packages/machines']) {
    const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(
        (entry) =>
          entry.isFile() &&
          !/[\\/](dist|node_modules)([\\/]|$)/.test(entry.parentPath) &&
          !entry.name.includes('.test.'),
      )
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
    for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file))
  }
  return hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex')
}

const stamp = fingerprint()
if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
  process.stdout.write('Building the web …\n')
  const built = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
      'build',
      join(root, 'apps', 'web'),
      '--logLevel',
      'warn',
    ],
    { cwd: root, stdio: 'inherit' },
  )
  if (built.status !== 0) process.exit(built.status ?? 1)
  writeFileSync(stampFile, stamp)
}
spawnSync(process.execPath, [join(root, 'apps', 'cli', 'bin', 'build.js')], {
  cwd: root,
  stdio: 'inherit',
})
process.chdir(root)
const { run } = await import('../apps/server/src/start/main.ts')
await run()
