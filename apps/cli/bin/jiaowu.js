#!/usr/bin/env node
// Plain JavaScript, so that an older Node can read it and hand over to the one this project pins.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
if (process.features.typescript) await import('../src/main.ts')
else {
  const pinned = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const { status, signal } = spawnSync(pinned, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = signal === null ? (status ?? 1) : 130
}
