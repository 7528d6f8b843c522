// Builds the package as JavaScript with types, because Node does not strip types inside node_modules.
// `npm pack` in this folder runs it twice, before packing (`--here`) and after it (`--restore`).
// `node packages/path-tests/pack.ts FOLDER` does the same in a copy and leaves FOLDER/path-tests.tgz.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'

const here = import.meta.dirname
const root = join(here, '..', '..')
/** The manifest of the sources while that of the archive is in its place. */
const kept = join(here, 'package.sources.json')
/** The modules that are public; the archive opens no others. */
const entries = ['index', 'graph', 'vitest', 'walks', 'workers']
const [target = '.'] = process.argv.slice(2)

if (target === '--here') {
  // Left over where packing was interrupted.
  restore()
  build(here)
  copyFileSync(join(here, 'package.json'), kept)
  writeManifest(here)
} else if (target === '--restore') restore()
else packCopy(resolve(target))

function packCopy(out: string): void {
  const stage = mkdtempSync(join(tmpdir(), 'path-tests-'))
  mkdirSync(out, { recursive: true })
  try {
    build(stage)
    copyFileSync(join(here, 'README.md'), join(stage, 'README.md'))
    writeManifest(stage)
    const packed = run('npm', ['pack', '--silent'], stage).trim().split('\n').at(-1) ?? ''
    renameSync(join(stage, packed), join(out, 'path-tests.tgz'))
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

function build(folder: string): void {
  run('tsc', ['-p', join(here, 'tsconfig.build.json'), '--outDir', join(folder, 'dist')], here)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

function restore(): void {
  if (existsSync(kept)) renameSync(kept, join(here, 'package.json'))
  for (const made of ['dist', 'LICENSE']) rmSync(join(here, made), { recursive: true, force: true })
}

function writeManifest(folder: string): void {
  const manifest = buildPublishedManifest()
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** The manifest as published: built files, and the test runners as optional peers. */
function buildPublishedManifest(): object {
  const { name, version, description, dependencies } = JSON.parse(
    readFileSync(join(here, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>
  return {
    name,
    version,
    description,
    type: 'module',
    sideEffects: false,
    license: 'Apache-2.0',
    files: ['dist'],
    exports: Object.fromEntries(
      entries.map((entry) => [
        entry === 'index' ? '.' : `./${entry}`,
        { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` },
      ]),
    ),
    peerDependencies: {
      xstate: '>=5.31 <6',
      vitest: '>=3',
      'fast-check': `^${dependencies?.['fast-check']}`,
    },
    peerDependenciesMeta: { vitest: { optional: true }, 'fast-check': { optional: true } },
    engines: { node: '>=22' },
  }
}

function run(command: string, args: readonly string[], cwd: string): string {
  // Without npm around it, PATH has no commands of the workspace.
  const commands = join(root, 'node_modules', '.bin')
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: [commands, process.env.PATH].join(delimiter) },
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? `${stdout}${stderr}`}`)
  return stdout
}
