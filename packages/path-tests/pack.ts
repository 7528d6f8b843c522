// `node packages/path-tests/pack.ts FOLDER`: builds the package as JavaScript with types and packs it
// as FOLDER/path-tests.tgz. The sources themselves cannot be published, because Node does not
// strip types inside node_modules.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
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
const out = resolve(process.argv[2] ?? '.')
const stage = mkdtempSync(join(tmpdir(), 'path-tests-'))
mkdirSync(out, { recursive: true })
try {
  run('tsc', ['-p', join(here, 'tsconfig.build.json'), '--outDir', join(stage, 'dist')], here)
  copyFileSync(join(here, 'README.md'), join(stage, 'README.md'))
  writeFileSync(
    join(stage, 'package.json'),
    `${JSON.stringify(buildPublishedManifest(), null, 2)}\n`,
  )
  const packed = run('npm', ['pack', '--silent'], stage).trim().split('\n').at(-1) ?? ''
  renameSync(join(stage, packed), join(out, 'path-tests.tgz'))
} finally {
  rmSync(stage, { recursive: true, force: true })
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
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './*': { types: './dist/*.d.ts', default: './dist/*.js' },
    },
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
  const commands = join(here, '..', '..', 'node_modules', '.bin')
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: [commands, process.env.PATH].join(delimiter) },
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? `${stdout}${stderr}`}`)
  return stdout
}
