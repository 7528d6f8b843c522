// Builds apps/cli/dist where its sources are at hand and newer: by `npm run build`, `npm start`, `npm test`, and by the command itself.
// Plain JavaScript, so that any Node can read it (docs/decisions/0007-the-terminal.md).
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = join(dirname(fileURLToPath(import.meta.url)), '..')
const root = join(here, '..', '..')
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
const dist = join(here, 'dist')
const sources = [
  join(here, 'src'),
  ...['api', 'validation', 'machines'].map((room) => join(root, 'packages', room, 'src')),
]

const makers = [
  join(here, 'vite.config.ts'),
  join(here, 'package.json'),
  fileURLToPath(import.meta.url),
]

/** The command itself, once it is built. */
export const main = join(dist, 'main.js')

/** A folder's own time tells of files that went away. */
const newest = (folder) =>
  readdirSync(folder, { withFileTypes: true }).reduce((latest, entry) => {
    const path = join(folder, entry.name)
    return Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs)
  }, statSync(folder).mtimeMs)

const isStale = () => {
  const built = statSync(main, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return (
    makers.some((file) => statSync(file).mtimeMs > built) ||
    sources.some((folder) => newest(folder) > built)
  )
}

/** Two commands may build at once: each builds aside and puts its folder in place whole. */
const build = () => {
  const started = new Date()
  const aside = join(here, 'node_modules', `.building-${process.pid}`)
  const { status } = spawnSync(
    process.execPath,
    [vite, 'build', here, '--outDir', aside, '--logLevel', 'error'],
    { stdio: ['ignore', 2, 2], env: { ...process.env, NODE_ENV: 'production' } },
  )
  if (status !== 0) process.exit(1)
  utimesSync(join(aside, 'main.js'), started, started)
  if (existsSync(dist)) renameSync(dist, `${aside}-old`)
  try {
    renameSync(aside, dist)
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error // another command was quicker: the same sources
  }
  for (const left of [aside, `${aside}-old`]) rmSync(left, { recursive: true, force: true })
}

/** An installed command has no sources, and nothing to build with. */
export const buildIfStale = () => {
  if (existsSync(vite) && sources.every((folder) => existsSync(folder)) && isStale()) build()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildIfStale()
