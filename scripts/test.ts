// `npm test`: format, types, lint, unused code, the builds of web and terminal, then every test but
// the system tests (vitest.config.ts) and the mutants, which test the tests. Prints the seconds of
// each step and, last, a line `N passed, N failed`. `npm run test:all` (`--all`) runs those too,
// `npm run test:system` (`--system`) the system tests alone, after the build, and `npm run test:alone`
// (`--alone`) every test and nothing before it. `npm test -- --changed` skips the build and runs the
// tests that the uncommitted change affects most, for half a minute.
import { spawn, spawnSync } from 'node:child_process'
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
import { argumentsForNpm, build, checks, type Step, types } from './steps.ts'

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
const suites: Readonly<Record<string, readonly string[]>> = {
  '--all': [],
  '--alone': [],
  '--system': ['--project', 'system'],
}
const [first = ''] = process.argv.slice(2)
const suite = suites[first]
const options = process.argv.slice(suite === undefined ? 2 : 3)
const onlyChanged = options.some((option) => option.startsWith('--changed'))
const changedSeconds = 30
/** Arguments for vitest choose from all tests: `npm test -- tests/cli` runs those system tests. */
const isDefault = suite === undefined && options.length === 0
const projects = isDefault ? ['--project', '!system'] : (suite ?? [])
const isWhole = (first === '--all' || first === '--alone') && options.length === 0
let passed = 0
let failed = 0

// Checking types leaves one of two cores idle half of the time.
if (first === '--system') await inTurn([build])
else if (first !== '--alone')
  await Promise.all([inTurn([types]), inTurn([...checks, ...(onlyChanged ? [] : [build])])])
runTests()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

async function inTurn(steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const started = Date.now()
    const { ok, output: text } = await runBeside(step)
    if (!ok) process.stdout.write(text)
    countResult(step.name, ok, started)
  }
}

/** Runs a step while others run: its output is not mixed with theirs. */
function runBeside(step: Step): Promise<{ readonly ok: boolean; readonly output: string }> {
  return new Promise((resolve) => {
    let text = ''
    const child = spawn('npm', argumentsForNpm(step), {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
    child.once('error', (error) => resolve({ ok: false, output: `${String(error)}\n` }))
    child.once('close', (code) => resolve({ ok: code === 0, output: text }))
  })
}

function run(command: string, args: readonly string[], env: Environment = {}): boolean {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  })
  return status === 0
}

function countResult(name: string, ok: boolean, started: number): void {
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
    const chosen = onlyChanged ? filesOfChange() : [...projects, ...options]
    const ok = run('vitest', ['run', ...reporters, ...chosen], {
      CHROMIUM_PATH: browserPath(),
      // Servers and terminals that tests start load compiled modules: a fifth of their start.
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
      [usesVariable]: uses,
      ...(isDefault ? { MBT_MUTANTS: process.env.MBT_MUTANTS ?? 'none' } : {}),
    })
    const counts = JSON.parse(readFileSync(report, 'utf8')) as Counts
    keepSeconds(secondsFile, listSeconds(counts))
    passed += counts.numPassedTests
    failed += counts.numFailedTests
    if (!ok && counts.numFailedTests === 0) {
      failed += 1
      console.error('✗ a test file did not load, or something failed outside a test')
    }
    if (isWhole) countResult('exceptions of statements', allUsed(uses), Date.now())
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
  if (left.length > 0) console.log(`Left to npm run test:all: ${left.slice(0, 5).join(', ')} …`)
  const more = options.filter((option) => !isOfChange(option))
  return [...(chosen.length === 0 ? ['--passWithNoTests', 'no-test-file'] : chosen), ...more]
}

/** @throws Error with what the command wrote when it fails */
function output(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`)
  return stdout
}

function listSeconds({ testResults }: Counts) {
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
