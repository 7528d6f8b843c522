// `npm run dev`: the server (PORT, or 7300), and Vite with hot reload on 5173, which forwards /api to
// the server.
// `npm run dev -- --mock`: only Vite; an in-memory double in the browser replaces the server.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const isMocked = process.argv.includes('--mock')
const children = [...(isMocked ? [] : [startServer()]), startVite()]
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
for (const child of children) child.once('exit', stop)

function startServer(): ChildProcess {
  return spawn(
    process.execPath,
    ['--watch-path=apps/server/src', '--watch-path=packages', 'apps/server/src/start/main.ts'],
    { cwd: root, stdio: 'inherit' },
  )
}

function startVite(): ChildProcess {
  return spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'apps/web'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(isMocked && { JIAOWU_MOCK: '1' }) },
  })
}

function stop(): void {
  for (const child of children) child.kill('SIGTERM')
}
