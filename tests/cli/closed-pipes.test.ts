import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { bin } from './command.ts'

/** Runs a command whose reader goes away after the first bytes, as `| head -c 1` does. */
function intoClosedPipe(args: readonly string[], closed: 'stdout' | 'stderr') {
  return new Promise<{ code: number | null; err: string }>((resolve) => {
    const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    let err = ''
    if (closed === 'stderr') child.stderr.destroy()
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    child.stdout.once('data', () => {
      if (closed === 'stdout') child.stdout.destroy()
    })
    child.on('close', (code) => resolve({ code, err }))
  })
}

describe('a pipe that is closed', { timeout: 180_000 }, () => {
  it.each([
    [['machine', 'paths', 'download']],
    [['machine', 'graph', 'download']],
    [['completion', 'bash']],
    [['--help']],
  ])('%j ends quietly with 0', async (args) => {
    expect(await intoClosedPipe(args, 'stdout')).toEqual({ code: 0, err: '' })
  })
  it('on stderr ends quietly too', async () => {
    expect((await intoClosedPipe(['machine', 'ls'], 'stderr')).code).toBe(0)
  })
})
