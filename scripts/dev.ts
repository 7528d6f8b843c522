// `npm run dev`: the server on 7300 and Vite with hot reload on 5173, which hands /api on.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const children = [
  spawn(
    process.execPath,
    ['--watch-path=apps/server/src', '--watch-path=packages', 'apps/server/src/main.ts'],
    { cwd: root, stdio: 'inherit' },
  ),
  spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'apps/web'], {
    cwd: root,
    stdio: 'inherit',
  }),
]
function stop() {
  for (const child of children) child.kill('SIGTERM')
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
for (const child of children) child.once('exit', stop)
