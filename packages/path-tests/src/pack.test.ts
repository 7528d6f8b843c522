import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/*
 * `npm pack` in a copy of the folder, the archive installed into an empty folder without a network,
 * and used by plain Node.
 */
const root = join(import.meta.dirname, '../../..')
let folder = ''
let copy = ''
let before = ''
let archive = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'path-tests-pack-'))
  copy = join(folder, 'repository/packages/path-tests')
  cpSync(join(root, 'packages/path-tests'), copy, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  })
  for (const name of ['LICENSE', 'tsconfig.base.json', 'node_modules'])
    symlinkSync(join(root, name), join(folder, 'repository', name))
  before = listFiles()
  archive = run('npm', ['pack', '--silent'], copy).trim().split('\n').at(-1) ?? ''
  mkdirSync(join(folder, 'empty'))
  writeFileSync(join(folder, 'empty/package.json'), '{ "name": "empty", "private": true }')
  run(
    'npm',
    [
      ...'install --offline --no-audit --no-fund --loglevel=error'.split(' '),
      join(copy, archive),
      join(root, 'node_modules/xstate'),
    ],
    join(folder, 'empty'),
  )
}, 180_000)
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('packing leaves the folder as it was, but for the archive', () => {
  rmSync(join(copy, archive))
  expect(listFiles()).toBe(before)
})

test('the archive is JavaScript with types, a licence and the manual', () => {
  const installed = join(folder, 'empty/node_modules/@jiaowu/path-tests')
  expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
  const built = readdirSync(join(installed, 'dist'), { recursive: true }).map(String)
  expect(built.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([])
  expect(built).toContain('index.d.ts')
  expect(built.filter((name) => name.includes('.test.'))).toEqual([])
})

test('plain Node explores and runs a machine with it, and reaches nothing internal', () => {
  writeFileSync(
    join(folder, 'empty/use.mjs'),
    `import { createMachine } from 'xstate'
import { actorDriver, coverEdges, defineModel, explore, runPaths, summary } from '@jiaowu/path-tests'
import { toMermaid } from '@jiaowu/path-tests/graph'
const machine = createMachine({
  id: 'door',
  initial: 'shut',
  states: { shut: { on: { open: 'wide' } }, wide: { on: { close: 'shut' } } },
})
const model = defineModel(machine)
const graph = explore(model)
const { failures } = await runPaths(model, graph, coverEdges(graph).paths, () => actorDriver(model))
console.log(summary(graph), failures.length, typeof toMermaid)
await import('@jiaowu/path-tests/model/stepper').catch(({ code }) => console.log(code))
`,
  )
  expect(run(process.execPath, ['use.mjs'], join(folder, 'empty')).split('\n')).toEqual([
    'door: 2 states, 4 edges (2 unhandled), transitions 2 of 2 0 function',
    'ERR_PACKAGE_PATH_NOT_EXPORTED',
    '',
  ])
})

function listFiles(): string {
  const names = readdirSync(copy, { recursive: true }).map(String).sort()
  return [...names, readFileSync(join(copy, 'package.json'), 'utf8')].join('\n')
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { VITEST: _vitest, NODE_OPTIONS: _options, ...env } = process.env
  const result = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...env, PATH: [join(root, 'node_modules/.bin'), env.PATH].join(delimiter) },
  })
  if (result.status !== 0)
    throw new Error(`${command} ${args.join(' ')}:\n${result.stdout}${result.stderr}`)
  return result.stdout
}
