import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/*
 * The packed package in an empty folder, used as the README says: every code block that begins with
 * a file name is written to that file, type-checked, and run.
 */
const root = join(import.meta.dirname, '..')
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'path-tests-readme-'))
  run(process.execPath, [join(root, 'pack.ts'), folder], root)
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@jiaowu/path-tests'), { recursive: true })
  run(
    'tar',
    ['xzf', 'path-tests.tgz', '--strip-components=1', '-C', 'node_modules/@jiaowu/path-tests'],
    folder,
  )
  for (const name of ['xstate', 'vitest']) symlinkSync(findPackageFolder(name), join(modules, name))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  for (const [, name, code] of readme.matchAll(/```ts\n\/\/ (\S+\.ts)\n([\s\S]*?)```/g))
    writeFileSync(join(folder, name ?? ''), code ?? '')
}, 120_000)
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('the quick start and the recipes of the README pass', () => {
  const { stdout } = run(
    process.execPath,
    [join(findPackageFolder('vitest'), 'vitest.mjs'), 'run'],
    folder,
  )
  // Five tests a machine: the quick start and six recipes.
  expect(stdout.replaceAll(/\u001b\[\d+m/g, '')).toMatch(/Tests +35 passed/)
}, 120_000)

test('so does the script, and both have the right types', () => {
  const { stdout } = run(process.execPath, ['light.script.ts'], folder)
  expect(stdout).toMatch(/^light: \d+ states, \d+ edges/)
  expect(stdout).toContain('[] 1 [] []')
  run(
    'tsc',
    '--noEmit --strict --skipLibCheck --target es2024 --module nodenext --allowImportingTsExtensions light.test.ts recipes.test.ts'.split(
      ' ',
    ),
    folder,
  )
}, 120_000)

function findPackageFolder(name: string): string {
  return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
}

function run(command: string, args: readonly string[], cwd: string) {
  const { MBT_PATH: _path, VITEST: _vitest, ...env } = process.env
  const result = spawnSync(command, args, {
    cwd,
    env: { ...env, PATH: `${join(root, '../../node_modules/.bin')}:${env.PATH}` },
    encoding: 'utf8',
  })
  if (result.status !== 0)
    throw new Error(`${command} ${args.join(' ')}:\n${result.stdout}${result.stderr}`)
  return result
}
