// `npm run paths`: walks the paths of the machines on their surfaces and writes a page, JSON and JUnit XML about it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Reporter, TestCase } from 'vitest/node'
import { startVitest } from 'vitest/node'
import { type MachineName, models } from '../machines/registry.ts'
import { browserPath } from '../../scripts/browser.ts'
import {
  type Conformance,
  conformanceFailures,
  conformanceText,
} from '../surfaces/server/conformance.ts'
import { readServerSettings } from '../surfaces/server/settings.ts'
import { type Mutation, mutantTests } from '../surfaces/mutation.ts'
import { keepPictures } from './report/pictures.ts'
import { toHtml, toJunit } from './report/report.ts'
import { keepTable } from './documents/keep-table.ts'
import { buildTable, tableText } from './documents/table.ts'
import { type SurfaceName, surfaceNames, type Walk } from './walk-part.ts'

const usage = `npm run paths -- [--machine a,b] [--surface ${surfaceNames.join(',')}] [--seed n] [--edges] [--mutants] [--keep] [--out folder] [--against address …]
  --machine   only these: ${Object.keys(models).join(', ')}
  --surface   only these (all but chromium and server)
  --seed      of the random walks on the bare machine (1)
  --edges     on the terminal every edge, not only every transition: minutes
  --mutants   breaks the machines and their screens in every way, and says what is noticed: minutes
  --keep      writes the table of this run into docs/machines
  --out       where the report goes (test-results/paths)
With --surface server a server of our own is started, or another one is asked, which has the demo data and accounts of the contract:
  --against     its address, such as https://school.example
  --password    of its accounts (or PATHS_PASSWORD, which no list of processes shows)
  --captcha     the answer to every picture, where the server has such a setting for tests
  --sms-outbox  the file to which it appends each SMS as a line of JSON
  docs/testing.md has the rest: other names of the accounts, students, tenant.
With MBT_PATH='…', the last line of a recipe, only that path.`

function fail(text: string): never {
  console.error(`${text}\n\n${usage}`)
  process.exit(2)
}
function parseNames(
  given: string | undefined,
  known: readonly string[],
  what: string,
): readonly string[] {
  const names = given?.split(',') ?? known
  const unknown = names.find((name) => !known.includes(name))
  return unknown === undefined ? names : fail(`There is no ${what} ${unknown}.`)
}
const options = {
  machine: { type: 'string' },
  surface: { type: 'string' },
  seed: { type: 'string', default: '1' },
  edges: { type: 'boolean', default: false },
  mutants: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  out: { type: 'string', default: 'test-results/paths' },
  against: { type: 'string' },
  password: { type: 'string' },
  captcha: { type: 'string' },
  'sms-outbox': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const
const parsed = (() => {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
})()
if (parsed.help) {
  console.log(usage)
  process.exit(0)
}
if (!/^\d+$/.test(parsed.seed)) fail('The seed is a whole number.')
const machines = parseNames(parsed.machine, Object.keys(models), 'machine')
// Chromium and the server take minutes, so they must be named.
const surfaces =
  parsed.surface === undefined
    ? surfaceNames.filter((name) => name !== 'chromium' && name !== 'server')
    : parseNames(parsed.surface, surfaceNames, 'surface')

const walks: Walk[] = []
const mutations: Mutation[] = []
const broken: string[] = []
let conformance: Conformance | null = null
let all = 0
/** One changing line on a terminal, one line each in a log. */
function tell(line: string) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`)
  else process.stderr.write(`${line}\n`)
}
const reporter: Reporter = {
  onTestModuleCollected: (module) => {
    all += [...module.children.allTests()].filter(({ options: { mode } }) => mode === 'run').length
  },
  onTestCaseResult: (test: TestCase) => {
    const { walk, mutation, conformance: found } = test.meta()
    if (test.result().state === 'skipped') return
    if (mutation !== undefined) {
      mutations.push(mutation)
      if (test.result().state === 'failed')
        broken.push(
          `${test.fullName}: ${
            mutation.survivors
              .filter(({ why }) => why === null)
              .map(({ id }) => id)
              .join(', ') || test.result().errors?.[0]?.message
          }`,
        )
      tell(
        `${walks.length + mutations.length}/${all} ${test.fullName}: ${mutation.caught} of ${mutation.tried}`,
      )
      return
    }
    if (found !== undefined) {
      conformance = found
      const wrong = conformanceFailures(found).length
      if (wrong > 0) broken.push(`${wrong} findings about the contract, below`)
      return
    }
    if (walk === undefined)
      broken.push(`${test.fullName}: ${test.result().errors?.[0]?.message ?? 'no result'}`)
    else walks.push(walk)
    const failed = walks.filter(({ failures }) => failures.length > 0).length + broken.length
    tell(
      `${walks.length + mutations.length + broken.length}/${all} ${test.fullName}${walk === undefined ? '' : `: ${walk.paths} paths, ${walk.steps} steps`}${failed === 0 ? '' : `, ${failed} failed so far`}`,
    )
  },
  onTestModuleEnd: (module) => {
    broken.push(...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`))
  },
  onTestRunEnd: (_modules, errors) => {
    broken.push(...errors.map(({ message }) => String(message)))
  },
}

if (surfaces.includes('chromium')) process.env.CHROMIUM_PATH ??= browserPath()
Object.assign(process.env, {
  PATHS_MACHINES: machines.join(),
  PATHS_SEED: parsed.seed,
  PATHS_EDGES: parsed.edges ? '1' : '',
  NODE_ENV: 'test',
})
for (const [name, value] of Object.entries({
  PATHS_AGAINST: parsed.against,
  PATHS_PASSWORD: parsed.password,
  PATHS_CAPTCHA: parsed.captcha,
  PATHS_SMS_OUTBOX: parsed['sms-outbox'],
}))
  if (value !== undefined) process.env[name] = value
try {
  if (surfaces.includes('server')) readServerSettings(process.env)
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}
const started = performance.now()
const root = resolve(import.meta.dirname, '../..')
const runner = await startVitest('test', [], {
  root,
  config: false,
  watch: false,
  include: surfaces.map((surface) => `tests/paths/${surface}.walk.ts`),
  reporters: [reporter],
  pool: 'threads',
  maxWorkers: 2,
  silent: true,
  passWithNoTests: true,
})
await runner?.close()
if (parsed.mutants) {
  process.env.MBT_MUTANTS = 'all'
  const places = surfaces.flatMap(
    (surface) =>
      ({
        bare: ['tests/machines/*/*.test.ts'],
        web: ['tests/machines/*/web.test.tsx', 'tests/surfaces/web/*.test.tsx'],
        terminal: ['tests/machines/*/terminal.test.tsx', 'tests/surfaces/terminal/*.test.tsx'],
        chromium: [],
        server: [],
      })[surface as SurfaceName],
  )
  const breaker = await startVitest('test', [], {
    root,
    config: false,
    watch: false,
    include: places,
    testNamePattern: `^(machine (${machines.join('|')})|(${machines.join('|')}) on the (web|terminal))[ >]+(${Object.values(mutantTests).join('|')})`,
    reporters: [reporter],
    pool: 'forks',
    maxWorkers: 2,
    silent: true,
    passWithNoTests: true,
  })
  await breaker?.close()
}
if (process.stderr.isTTY) process.stderr.write('\n')

const out = resolve(parsed.out)
mkdirSync(out, { recursive: true })
const run = {
  mutations,
  seed: Number(parsed.seed),
  seconds: Math.round((performance.now() - started) / 1000),
  walks: (await keepPictures(out, walks)).toSorted(
    (a, b) =>
      machines.indexOf(a.machine) - machines.indexOf(b.machine) ||
      surfaces.indexOf(a.surface) - surfaces.indexOf(b.surface),
  ),
  conformance: conformance as Conformance | null,
}
writeFileSync(join(out, 'index.html'), toHtml(run))
writeFileSync(join(out, 'paths.json'), `${JSON.stringify(run, null, 2)}\n`)
writeFileSync(join(out, 'junit.xml'), toJunit(run))
for (const { failures } of walks)
  for (const recipe of failures.slice(0, 1)) console.error(`\n${recipe}`)
if (process.env.MBT_PATH !== undefined && walks.every(({ paths }) => paths === 0))
  broken.push('No concern of these machines has that path.')
for (const text of broken) console.error(`\n${text}`)
const table = buildTable(machines as readonly MachineName[], walks, mutations)
if (table.length > 0) console.log(`\n${tableText(table)}\n`)
if (parsed.keep) keepTable(table)
if (run.conformance !== null) console.log(conformanceText(run.conformance))
const failed = walks.filter(({ failures }) => failures.length > 0).length + broken.length
console.log(
  `${walks.reduce((sum, { paths }) => sum + paths, 0)} paths, ${walks.reduce((sum, { steps }) => sum + steps, 0)} steps, ${run.seconds} s; ${failed} of ${walks.length + broken.length} failed. ${join(parsed.out, 'index.html')}`,
)
process.exit(failed === 0 ? 0 : 1)
