// One archive with the command `jiaowu` and all that it needs, for machines without the repository: `npm run
// pack:terminal -- FILE.tgz`. Nothing is asked of a registry when it is unpacked (docs/terminal.md#install).
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { buildIfStale } from '../apps/cli/bin/build.js'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly license?: string
}

const root = join(import.meta.dirname, '..')
const cli = join(root, 'apps', 'cli')
/** Packages that the built command loads from `node_modules`; all others are built into it. */
const loaded = ['ink', 'react', '@xstate/react', 'qrcode', 'jq-wasm']

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Writes the archive. Returns the SHA-256 of its bytes. */
function packTerminal(file: string): string {
  buildIfStale()
  const folder = mkdtempSync(join(tmpdir(), 'jiaowu-terminal-'))
  try {
    const target = join(folder, 'jiaowu')
    mkdirSync(join(target, 'bin'), { recursive: true })
    for (const name of ['jiaowu.js', 'run.js', 'build.js'])
      cpSync(join(cli, 'bin', name), join(target, 'bin', name))
    cpSync(join(cli, 'dist'), join(target, 'dist'), { recursive: true, filter: isNoMap })
    // The paths of `machine report`: only a checkout can make them.
    const made = spawnSync(
      process.execPath,
      [join(root, 'tests/paths/recipes/write-book.ts'), join(target, 'dist', 'path-book.json')],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    if (made.status !== 0) throw new Error('the paths of machine report were not made')
    cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
    const { version } = readManifest(cli)
    const manifest = { name: '@jiaowu/terminal', version, private: true, type: 'module' }
    writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    const archive = { target, copied: new Map<string, string>() }
    for (const name of loaded) copyPackage(name, cli, target, archive)
    const done = spawnSync('tar', ['-czf', resolve(file), '-C', folder, 'jiaowu'], {
      stdio: 'inherit',
    })
    if (done.status !== 0) throw new Error('tar wrote no archive')
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const isNoMap = (path: string) => !path.endsWith('.map')

/**
 * Copies an installed package with what it depends on. A second version of a package lies inside its user.
 * @param place where the user of the package lies in the archive
 */
function copyPackage(
  name: string,
  user: string,
  place: string,
  archive: { readonly target: string; readonly copied: Map<string, string> },
): void {
  const folder = findPackage(name, user)
  if (folder === null) return
  const { target, copied } = archive
  const { version, dependencies = {} } = readManifest(folder)
  const top = join(target, 'node_modules', name)
  const known = copied.get(top)
  const own = known === undefined || known === version ? top : join(place, 'node_modules', name)
  if (copied.has(own)) return
  copied.set(own, version)
  cpSync(folder, own, {
    recursive: true,
    filter: (path) => !path.slice(folder.length).includes('/node_modules'),
  })
  for (const needed of Object.keys(dependencies)) copyPackage(needed, folder, own, archive)
}

/** The folder of a package as Node finds it from another; null for one that is not installed here. */
function findPackage(name: string, user: string): string | null {
  const paths = createRequire(join(user, 'package.json')).resolve.paths(name) ?? []
  return (
    paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json'))) ??
    null
  )
}

const [file = 'jiaowu-terminal.tgz'] = process.argv.slice(2)
mkdirSync(dirname(resolve(file)), { recursive: true })
console.log(`${packTerminal(file)}  ${file}`)
