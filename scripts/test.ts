// `npm test`: format, types, lint, unused code, the builds of web and terminal, then every test.
// Prints the seconds of each step and, last, a line `N passed, N failed`. `npm test -- --changed`
// skips the builds and runs the tests that the uncommitted change affects most, for half a minute.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unusedExceptions, usesVariable } from '../apps/server/testing/statements/exceptions.ts'
import { browserPath } from './browser.ts'
import {
  chooseTests,
  inRepository,
  keepSeconds,
  readSeconds,
  secondsFile,
} from './changed-tests.ts'

interface Counts {
  readonly numPassedTests: number
  readonly numFailedTests: number
  /** Milliseconds since 1970. */
  readonly testResults: readonly {
    readonly name: string
    readonly startTime: number
    readonly endTime: number
  }[]
}
type Environment = Readonly<Record<string, string>>

const root = join(import.meta.dirname, '..')
const options = process.argv.slice(2)
const onlyChanged = options.some((option) => option.startsWith('--changed'))
const changedSeconds = 30
const isWhole = options.length === 0
let passed = 0
let failed = 0

step('format', () => run('oxfmt', ['--check']))
step('types', () => run('node', ['scripts/types.ts']))
step('lint', () => run('oxlint', ['--deny-warnings']))
step('unused code', () => run('knip', ['--no-progress']))
if (!onlyChanged) {
  step('build of the web', () => run('vite', ['build', 'apps/web', '--logLevel', 'warn']))
  step('build of the terminal', () => run('node', ['apps/cli/bin/build.js']))
}
runTests()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function run(command: string, args: readonly string[], env: Environment = {}): boolean {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  })
  return status === 0
}

function step(name: string, work: () => boolean): void {
  const started = Date.now()
  const ok = work()
  if (ok) passed += 1
  else failed += 1
  console.log(`${ok ? '✓' : '✗'} ${name}: ${secondsSince(started)} s`)
}

/** Runs vitest and adds its counts. A run that fails without a failed test counts as one failure. */
function runTests(): void {
  const started = Date.now()
  const folder = mkdtempSync(join(tmpdir(), 'jiaowu-test-'))
  try {
    const report = join(folder, 'report.json')
    const uses = join(folder, 'exception-uses')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const ok = run('vitest', ['run', ...reporters, ...(onlyChanged ? filesOfChange() : options)], {
      CHROMIUM_PATH: browserPath(),
      // Servers and terminals that tests start load compiled modules: a fifth of their start.
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
      [usesVariable]: uses,
    })
    const counts = JSON.parse(readFileSync(report, 'utf8')) as Counts
    keepSeconds(secondsFile, secondsOf(counts))
    passed += counts.numPassedTests
    failed += counts.numFailedTests
    if (!ok && counts.numFailedTests === 0) {
      failed += 1
      console.error('✗ a test file did not load, or something failed outside a test')
    }
    if (isWhole) step('exceptions of statements', () => allUsed(uses))
  } catch (error) {
    failed += 1
    console.error(`✗ ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`tests: ${secondsSince(started)} s`)
}

/** The tests to run for a change; the options of vitest besides `--changed` follow. */
function filesOfChange(): string[] {
  const isOfChange = (option: string) => option.startsWith('--changed')
  const listed = output('vitest', ['list', '--filesOnly', '--json', ...options.filter(isOfChange)])
  const affected = (JSON.parse(listed) as { readonly file: string }[]).map(({ file }) =>
    inRepository(file),
  )
  const changed = output('git', ['status', '--porcelain', '--no-renames', '-uall'])
    .split('\n')
    .map((line) => line.slice(3))
  const { chosen, left } = chooseTests(affected, changed, readSeconds(secondsFile), changedSeconds)
  console.log(
    `The change affects ${affected.length} test files; ${chosen.length} of them run here.`,
  )
  if (left.length > 0) console.log(`Left to npm test: ${left.slice(0, 5).join(', ')} …`)
  const more = options.filter((option) => !isOfChange(option))
  return [...(chosen.length === 0 ? ['--passWithNoTests', 'no-test-file'] : chosen), ...more]
}

/** @throws Error with what the command wrote when it fails */
function output(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`)
  return stdout
}

function secondsOf({ testResults }: Counts) {
  return Object.fromEntries(
    testResults.map(({ name, startTime, endTime }) => [
      inRepository(name),
      (endTime - startTime) / 1000,
    ]),
  )
}

/** Whether some test needed each exception of the check of statements. */
function allUsed(uses: string): boolean {
  const unused = unusedExceptions(uses)
  for (const statement of unused)
    console.error(`No statement needs this exception any more: ${statement}`)
  return unused.length === 0
}

function secondsSince(started: number): number {
  return Math.round((Date.now() - started) / 1000)
}
