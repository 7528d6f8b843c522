// `npm test`: types, lint, the builds of web and terminal, then every test. Ends with a line `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browserPath } from './browser.ts'

const root = join(import.meta.dirname, '..')
let passed = 0
let failed = 0

function run(command: string, args: readonly string[], env: Record<string, string> = {}): boolean {
  return (
    spawnSync(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
      shell: process.platform === 'win32',
    }).status === 0
  )
}

function step(name: string, ok: boolean): void {
  if (ok) passed += 1
  else {
    failed += 1
    console.error(`✗ ${name}`)
  }
}

const started = Date.now()
step('format', run('oxfmt', ['--check']))
step('types', run('node', ['scripts/types.ts']))
step('lint', run('oxlint', ['--deny-warnings']))
step('build', run('vite', ['build', 'apps/web', '--logLevel', 'warn']))
step('build of the terminal', run('node', ['apps/cli/bin/build.js']))

const folder = mkdtempSync(join(tmpdir(), 'jiaowu-test-'))
try {
  const report = join(folder, 'report.json')
  const ok = run(
    'vitest',
    [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...process.argv.slice(2),
    ],
    { CHROMIUM_PATH: browserPath() },
  )
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number
    numFailedTests: number
  }
  passed += numPassedTests
  failed += numFailedTests
  if (!ok && numFailedTests === 0)
    step('a test file did not load, or something failed outside a test', false)
} catch (error) {
  step(error instanceof Error ? error.message : String(error), false)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${Math.round((Date.now() - started) / 1000)} s`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
