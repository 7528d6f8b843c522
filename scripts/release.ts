// `npm run release [-- --built]`: dist/release/jiaowu-VERSION-PLATFORM.tar.gz with the server, the built web, the
// packages that they run with and the Node that runs this. Nothing is built or fetched where it is unpacked
// (docs/operations/install.md). `--built`: the web is built already.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { findClosure, type Lock } from './closure.ts'

const root = join(import.meta.dirname, '..')
const output = join(root, 'dist', 'release')
const server = 'apps/server'
/** Files of the repository that go along as they are. */
const enclosed = ['LICENSE', 'CHANGELOG.md', 'deploy', 'docs']
const own = '@jiaowu'

const { version } = readJson<{ version: string }>('package.json')
const name = `jiaowu-${version}-${process.platform}-${process.arch}`
const stage = join(output, name)

if (!process.argv.includes('--built'))
  run(process.execPath, [
    join(root, 'node_modules/vite/bin/vite.js'),
    'build',
    'apps/web',
    '--logLevel',
    'warn',
  ])
rmSync(stage, { recursive: true, force: true })
mkdirSync(join(stage, 'bin'), { recursive: true })
copyCode()
for (const each of enclosed) cpSync(join(root, each), join(stage, each), { recursive: true })
copyFileSync(join(root, 'scripts', 'jiaowu-server.sh'), join(stage, 'bin', 'jiaowu-server'))
copyFileSync(process.execPath, join(stage, 'bin', 'node'))
for (const program of ['jiaowu-server', 'node']) chmodSync(join(stage, 'bin', program), 0o755)
const main = { name: 'jiaowu', version, private: true, type: 'module' }
writeFileSync(join(stage, 'package.json'), `${JSON.stringify(main, null, 2)}\n`)
pack()

function copyCode(): void {
  const lock = readJson<Lock>('package-lock.json')
  const { installed, workspaces } = findClosure(lock, server)
  for (const folder of workspaces) {
    copyFolder(folder, isRun)
    if (folder !== server) link(folder)
  }
  copyFolder('apps/web/dist', () => true)
  for (const folder of installed) {
    // Parts for other systems are in the lock file and not installed.
    if (lock.packages[folder]?.optional === true && !existsSync(join(root, folder))) continue
    // Without the packages in it, which the closure names one by one.
    copyFolder(folder, (path) => !relative(folder, path).split('/').includes('node_modules'))
  }
}

/** Not tests and what they use, nor what npm and the compiler have made. */
function isRun(path: string): boolean {
  return !/\.test\.tsx?$|\/(?:testing|node_modules|dist)$|\/tsconfig\.json$/.test(path)
}

function copyFolder(from: string, isWanted: (path: string) => boolean): void {
  cpSync(join(root, from), join(stage, from), {
    recursive: true,
    dereference: true,
    filter: (path) => isWanted(relative(root, path)),
  })
}

/** The workspace under its own name, as npm links it. */
function link(folder: string): void {
  const { name: packageName } = readJson<{ name: string }>(join(folder, 'package.json'))
  const at = join(stage, 'node_modules', packageName)
  if (!packageName.startsWith(`${own}/`)) throw new Error(`${folder} is not one of ours.`)
  mkdirSync(dirname(at), { recursive: true })
  symlinkSync(relative(dirname(at), join(stage, folder)), at)
}

/** The same files give the same archive. */
function pack(): void {
  const archive = `${stage}.tar.gz`
  const epoch = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  run('tar', ['-C', output, ...epoch, '--mode=go-w', '-I', 'gzip -n -6', '-cf', archive, name])
  const digest = createHash('sha256').update(readFileSync(archive)).digest('hex')
  writeFileSync(`${archive}.sha256`, `${digest}  ${basename(archive)}\n`)
  process.stdout.write(`${archive}\n`)
}

function run(program: string, words: readonly string[]): void {
  const { status } = spawnSync(program, words, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

function readJson<Shape>(path: string): Shape {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Shape
}
