// Type-checks every room with its own compiler options, all at once. Exits 1 when any room fails.
import { spawn } from 'node:child_process'

const rooms = ['packages/api', 'packages/validation', 'packages/machines', 'apps/server', 'apps/cli', 'apps/web', 'tests', 'scripts', 'bench']

const check = (room: string) =>
  new Promise<boolean>((resolve) => {
    const child = spawn('tsc', ['-p', room, '--pretty', 'false'], { stdio: 'inherit', shell: process.platform === 'win32' })
    child.on('exit', (code) => resolve(code === 0))
  })

const wanted = process.argv.slice(2)
const results = await Promise.all((wanted.length > 0 ? wanted : rooms).map(check))
process.exit(results.every(Boolean) ? 0 : 1)
